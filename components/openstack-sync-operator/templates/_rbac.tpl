{{/*
Who may do what: the verbs that the enabled hooks and shell-operator use, and no other.

JSON: [{namespace, rules}]; the namespace "" is the whole cluster. Nothing that would be empty.
*/}}
{{- define "operator.grants" -}}
{{- $own := .Release.Namespace -}}
{{- $secrets := include "operator.secretRule" . | fromJson -}}
{{- $ownRules := list -}}
{{- $watched := list -}}
{{- $readsSecrets := false -}}
{{- range $name, $hook := include "operator.hooks" . | fromJson -}}
{{- if .enabled -}}
{{- if eq .access "customResources" -}}
{{- $readsSecrets = true -}}
{{- $watched = concat $watched (include "operator.crRules" .crd | fromJsonArray) -}}
{{- else if eq .access "secrets" -}}
{{- $ownRules = list $secrets -}}
{{- end -}}
{{- $watched = concat $watched (include "operator.hookRules" (list $ $name) | fromJsonArray) -}}
{{- end -}}
{{- end -}}
{{- $watched = concat (.Values.rbac.rules | default list) $watched | uniq -}}
{{- if $readsSecrets -}}
{{- $watched = prepend $watched $secrets -}}
{{- end -}}
{{- $namespaces := .Values.rbac.clusterWide | ternary (list "") (.Values.watchNamespaces | default (list $own)) -}}
{{- $grants := list -}}
{{- range $namespaces -}}
{{- $rules := $watched -}}
{{- if eq . $own -}}
{{- $rules = uniq (concat $ownRules $watched) -}}
{{- end -}}
{{- if $rules -}}
{{- $grants = append $grants (dict "namespace" . "rules" $rules) -}}
{{- end -}}
{{- end -}}
{{/* The release's own namespace, if it is not watched by itself and nothing above gives it Secrets. */}}
{{- $covered := or (has $own $namespaces) (and .Values.rbac.clusterWide $readsSecrets) -}}
{{- if and $ownRules (not $covered) -}}
{{- $grants = prepend $grants (dict "namespace" $own "rules" $ownRules) -}}
{{- end -}}
{{- toJson $grants -}}
{{- end -}}

{{/*
The rules that a hook of this name has of its own, which are no part of "operator.hooks": a right that comes or goes needs
no other pod. Takes (list $ <name>); JSON
*/}}
{{- define "operator.hookRules" -}}
{{- $data := get (first .).Values.pluginData (last .) -}}
{{- $data.hook.rules | default list | toJson -}}
{{- end -}}

{{- define "operator.secretRule" -}}
{{- $rule := dict "apiGroups" (list "") "resources" (list "secrets") "verbs" (list "get") -}}
{{- with .Values.secretNames -}}
{{- $_ := set $rule "resourceNames" . -}}
{{- end -}}
{{- toJson $rule -}}
{{- end -}}

{{/*
On the resources of one CRD. shell-operator lists and watches; a hook gets one anew when a write meets a conflict, and
patches finalizers, an annotation and the status.
*/}}
{{- define "operator.crRules" -}}
{{- $rules := list (dict
    "apiGroups" (list .group)
    "resources" (list .plural)
    "verbs" (list "get" "list" "watch" "patch")
  ) -}}
{{- if .status -}}
{{- $rules = append $rules (dict
    "apiGroups" (list .group)
    "resources" (list (printf "%s/status" .plural))
    "verbs" (list "patch")
  ) -}}
{{- end -}}
{{- toJson $rules -}}
{{- end -}}
