{{/*
What the schema cannot say, because it is about several values at once. Each message begins with the key in question.
*/}}
{{- define "operator.check" -}}
{{- include "operator.checkPlugins" . -}}
{{- include "operator.checkHooks" . -}}
{{- include "operator.checkVariables" . -}}
{{- include "operator.checkNamespaces" . -}}
{{- include "operator.checkSecrets" . -}}
{{- include "operator.checkAccount" . -}}
{{- include "operator.checkPodMetadata" . -}}
{{- end -}}

{{/* Hooks that the chart does not have yet. Sites that come from chart 0.2.0 may have values for them. */}}
{{- define "operator.announced" -}}
neutronSubnetPools neutronSegmentRanges ironicRunbooks
{{- end -}}

{{/* A misspelt name would otherwise switch nothing on, and say nothing. */}}
{{- define "operator.checkPlugins" -}}
{{- $announced := include "operator.announced" . | splitList " " -}}
{{- $known := keys (include "operator.hooks" . | fromJson) | sortAlpha | join ", " -}}
{{- range $name, $enabled := .Values.plugins -}}
{{- if and $enabled (not (dig $name "hook" false $.Values.pluginData)) -}}
{{- fail (printf "plugins.%s: there is no such hook, as pluginData.%s.hook is not set; known are: %s" $name $name $known) -}}
{{- end -}}
{{- end -}}
{{- range $name, $data := .Values.pluginData -}}
{{- if not (or (hasKey ($.Values.plugins | default dict) $name) (has $name $announced)) -}}
{{- fail (printf "pluginData.%s: nothing switches this on or off; is the name right? If so, set plugins.%s" $name $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "operator.checkHooks" -}}
{{- $paths := dict -}}
{{- range $name, $hook := include "operator.hooks" . | fromJson -}}
{{- $key := printf "pluginData.%s.hook" $name -}}
{{- if $hook.enabled -}}
{{- if not $hook.path -}}
{{- fail (printf "%s.path: is required, as plugins.%s is true" $key $name) -}}
{{- end -}}
{{- with get $paths $hook.path -}}
{{- fail (printf "%s.path: %s is the path of %s already" $key $hook.path .) -}}
{{- end -}}
{{- $_ := set $paths $hook.path $key -}}
{{- if and $hook.env (not $hook.envPrefix) -}}
{{- fail (printf "%s.envPrefix: is required by %s.env" $key $key) -}}
{{- end -}}
{{- if and (eq $hook.access "customResources") (not $hook.crd) -}}
{{- fail (printf "%s.crd: is required, as %s.access is customResources" $key $key) -}}
{{- end -}}
{{- $rules := include "operator.hookRules" (list $ $name) | fromJsonArray -}}
{{- include "operator.checkRules" (list $ (printf "%s.rules" $key) $rules) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/*
Kubernetes keeps the last of two variables with one name and says nothing. So each name must come from one place.
*/}}
{{- define "operator.checkVariables" -}}
{{- $own := "is set by the chart itself" -}}
{{- $fixed := "must stay as it is, since %s" -}}
{{- $run := "is set by shell-operator for each run" -}}
{{- $from := dict
    "POD_NAMESPACE" $own
    "WATCH_NAMESPACES" (printf "%s: use watchNamespaces or rbac.clusterWide" $own)
    "SHELL_OPERATOR_TMP_DIR" $own
    "DEBUG_UNIX_SOCKET" $own
    "HOME" $own
    "SHELL_OPERATOR_LISTEN_ADDRESS" (printf $fixed "the probes ask there")
    "SHELL_OPERATOR_LISTEN_PORT" (printf $fixed "the probes ask there")
    "SHELL_OPERATOR_PROMETHEUS_METRICS_PREFIX" (printf $fixed "alerts know the metrics by it")
    "SHELL_OPERATOR_HOOKS_DIR" (printf $fixed "the image has the hooks there")
    "BINDING_CONTEXT_PATH" $run
    "METRICS_PATH" $run
    "KUBERNETES_PATCH_PATH" $run
    "VALIDATING_RESPONSE_PATH" $run
    "ADMISSION_RESPONSE_PATH" $run
    "CONVERSION_RESPONSE_PATH" $run
-}}
{{- range $name, $value := .Values.env -}}
{{- with get $from $name -}}
{{- fail (printf "env.%s: this variable %s" $name .) -}}
{{- end -}}
{{- end -}}
{{- range $name, $value := .Values.env -}}
{{- $_ := set $from $name (printf "is env.%s already" $name) -}}
{{- end -}}
{{- range $hookName, $hook := include "operator.hooks" . | fromJson -}}
{{- range include "operator.envOfHook" $hook | fromJsonArray -}}
{{- $variable := .name -}}
{{- with get $from .name -}}
{{- fail (printf "pluginData.%s.hook.env: the variable %s %s" $hookName $variable .) -}}
{{- end -}}
{{- $_ := set $from .name (printf "is one of pluginData.%s.hook already" $hookName) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{- define "operator.checkNamespaces" -}}
{{- if and .Values.rbac.clusterWide .Values.watchNamespaces -}}
{{- fail "watchNamespaces: must be empty if rbac.clusterWide is true, which watches all namespaces" -}}
{{- end -}}
{{- include "operator.checkRules" (list . "rbac.rules" .Values.rbac.rules) -}}
{{- end -}}

{{/* Takes (list $ <the value's name> <its rules>). */}}
{{- define "operator.checkRules" -}}
{{- $clusterWide := (first .).Values.rbac.clusterWide -}}
{{- $key := index . 1 -}}
{{- range last . -}}
{{- if and .nonResourceURLs (not $clusterWide) -}}
{{- fail (printf "%s: nonResourceURLs can only be granted in a ClusterRole: set rbac.clusterWide" $key) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* A hook that reads one Secret of a fixed name would otherwise fail at each run. */}}
{{- define "operator.checkSecrets" -}}
{{- range $name, $hook := include "operator.hooks" . | fromJson -}}
{{- $secret := $hook.env.DEFAULT_SECRET -}}
{{- if and $hook.enabled $secret $.Values.secretNames (not (has $secret $.Values.secretNames)) -}}
{{- fail (printf "secretNames: lacks %q, which pluginData.%s.hook.env.DEFAULT_SECRET names" $secret $name) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Every pod that names no account of its own has `default`: rights of this one are rights of all. */}}
{{- define "operator.checkAccount" -}}
{{- $account := .Values.serviceAccount -}}
{{- $bound := and .Values.rbac.create (include "operator.grants" . | fromJsonArray) -}}
{{- if and $bound (not $account.create) (not $account.name) -}}
{{- $all := "the account `default` would share the operator's rights with every pod of the namespace" -}}
{{- fail (printf "serviceAccount.name: is required, as serviceAccount.create is false and rbac.create true: %s" $all) -}}
{{- end -}}
{{- end -}}

{{/* A second value for a key of the chart would break the selector, or hide that the hooks have changed. */}}
{{- define "operator.checkPodMetadata" -}}
{{- range $key, $value := include "operator.podLabels" . | fromYaml -}}
{{- if hasKey ($.Values.podLabels | default dict) $key -}}
{{- fail (printf "podLabels.%s: is set by the chart itself" $key) -}}
{{- end -}}
{{- end -}}
{{- $checksum := include "operator.checksumKey" . -}}
{{- if hasKey (.Values.podAnnotations | default dict) $checksum -}}
{{- fail (printf "podAnnotations.%s: is set by the chart itself" $checksum) -}}
{{- end -}}
{{- end -}}
