{{/*
What both containers have in common: the check of the hooks must see what shell-operator will see.
*/}}
{{- define "operator.container" -}}
image: {{ include "operator.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
env:
  {{- include "operator.env" . | nindent 2 }}
{{- with .Values.resources }}
resources:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumeMounts:
  - name: tmp
    mountPath: /tmp
  - name: run
    mountPath: /var/run/shell-operator
{{- end -}}
