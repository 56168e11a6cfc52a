{{/*
The variables of both containers. Each name stands once: see _checks.tpl.
*/}}

{{/* What each hook is told, disabled ones too, by full name. JSON: {<name>: text} */}}
{{- define "operator.hookEnv" -}}
{{- $env := dict -}}
{{- range include "operator.hooks" . | fromJson -}}
{{- range include "operator.envOfHook" . | fromJsonArray -}}
{{- $_ := set $env .name .value -}}
{{- end -}}
{{- end -}}
{{- toJson $env -}}
{{- end -}}

{{/* The variables of one hook, as "operator.hooks" describes it. JSON: [{name, value}], duplicates not yet refused */}}
{{- define "operator.envOfHook" -}}
{{- $env := list -}}
{{- with .envPrefix -}}
{{- $env = append $env (dict "name" (printf "%s_ENABLED" .) "value" (toString $.enabled)) -}}
{{- if $.crd -}}
{{- $env = append $env (dict "name" (printf "%s_CRD_API_VERSION" .) "value" $.crd.apiVersion) -}}
{{- $env = append $env (dict "name" (printf "%s_CRD_KIND" .) "value" $.crd.kind) -}}
{{- $env = append $env (dict "name" (printf "%s_CRD_RESOURCE" .) "value" $.crd.resource) -}}
{{- $env = append $env (dict "name" (printf "%s_STATUS_ENABLED" .) "value" (toString $.crd.status)) -}}
{{- end -}}
{{- range $key, $value := $.env -}}
{{- $env = append $env (dict "name" (printf "%s_%s" $.envPrefix $key) "value" $value) -}}
{{- end -}}
{{- end -}}
{{- toJson $env -}}
{{- end -}}

{{/* What WATCH_NAMESPACES is. Empty: it is not set, and hooks watch POD_NAMESPACE. */}}
{{- define "operator.watchNamespaces" -}}
{{- .Values.rbac.clusterWide | ternary "*" (join "," .Values.watchNamespaces) -}}
{{- end -}}

{{/*
The value of `env` in a container. All that is written goes to the two volumes: to /tmp the files of runs, what
shell-operator's client remembers of the API (/tmp/kube-cache-*), and what tools such as kubectl keep in their home;
the socket is where `shell-operator queue list` looks for it.
*/}}
{{- define "operator.env" -}}
- name: POD_NAMESPACE
  valueFrom:
    fieldRef:
      fieldPath: metadata.namespace
{{- with include "operator.watchNamespaces" . }}
- name: WATCH_NAMESPACES
  value: {{ quote . }}
{{- end }}
- name: SHELL_OPERATOR_TMP_DIR
  value: /tmp/shell-operator
- name: DEBUG_UNIX_SOCKET
  value: /var/run/shell-operator/debug.socket
- name: HOME
  value: /tmp
{{- range $name, $value := include "operator.hookEnv" . | fromJson }}
- name: {{ quote $name }}
  value: {{ quote $value }}
{{- end }}
{{- range $name, $value := .Values.env }}
- name: {{ quote $name }}
  value: {{ include "operator.text" $value | quote }}
{{- end }}
{{- end -}}
