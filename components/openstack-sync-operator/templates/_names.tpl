{{/*
Names and labels. Those of the objects and the selector are the same as in chart 0.2.0, so that it can be upgraded:
a Deployment's selector cannot be changed.
*/}}

{{- define "operator.name" -}}
{{- .Values.nameOverride | default .Chart.Name | trunc 63 | trimAll "-" -}}
{{- end -}}

{{- define "operator.fullname" -}}
{{- $name := .Values.nameOverride | default .Chart.Name -}}
{{- $full := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) -}}
{{- .Values.fullnameOverride | default $full | trunc 63 | trimAll "-" -}}
{{- end -}}

{{/* Objects outside the release's own namespace: two releases of one name, in two namespaces, must not share them. */}}
{{- define "operator.uniqueName" -}}
{{- .Release.Namespace }}:{{ include "operator.fullname" . -}}
{{- end -}}

{{- define "operator.serviceAccountName" -}}
{{- .Values.serviceAccount.name | default (.Values.serviceAccount.create | ternary (include "operator.fullname" .) "default") -}}
{{- end -}}

{{- define "operator.selectorLabels" -}}
app.kubernetes.io/name: {{ include "operator.name" . | quote }}
app.kubernetes.io/instance: {{ .Release.Name | quote }}
{{- end -}}

{{- define "operator.podLabels" -}}
{{ include "operator.selectorLabels" . }}
app.kubernetes.io/component: controller
{{- end -}}

{{- define "operator.labels" -}}
{{ include "operator.podLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service | quote }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" | quote }}
{{- end -}}

{{/* The pod's annotation with a checksum over the hooks. */}}
{{- define "operator.checksumKey" -}}
checksum/openstack-sync-operator-hooks
{{- end -}}

{{- define "operator.image" -}}
{{- .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion -}}
{{- end -}}
