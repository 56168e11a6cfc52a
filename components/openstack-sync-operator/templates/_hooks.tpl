{{/*
The hooks that pluginData describes, by name.

JSON: {<name>: {enabled, path, access, envPrefix, crd: {} or as "operator.crd" gives it, env: {<name without prefix>: text}}}
*/}}
{{- define "operator.hooks" -}}
{{- $root := . -}}
{{- $hooks := dict -}}
{{- range $name, $data := .Values.pluginData -}}
{{- with ($data | default dict).hook -}}
{{- $enabled := get ($root.Values.plugins | default dict) $name | default false -}}
{{- $crd := dict -}}
{{- with .crd -}}
{{/* The values of chart 0.2.0 name CRDs of hooks that are to come; as long as these are off, that harms nobody. */}}
{{- if or $enabled (include "operator.crdFile" . | $root.Files.Get) -}}
{{- $key := printf "pluginData.%s.hook.crd" $name -}}
{{- $crd = include "operator.crd" (dict "root" $root "key" $key "file" .) | fromJson -}}
{{- end -}}
{{- end -}}
{{- $env := dict -}}
{{- range $key, $value := .env -}}
{{- $_ := set $env $key (include "operator.text" $value) -}}
{{- end -}}
{{- $_ := set $hooks $name (dict
    "enabled" $enabled
    "path" (.path | default "")
    "access" (.access | default ($crd | empty | ternary "none" "customResources"))
    "envPrefix" (.envPrefix | default "")
    "crd" $crd
    "env" $env
  ) -}}
{{- end -}}
{{- end -}}
{{- toJson $hooks -}}
{{- end -}}

{{/* The paths of the enabled hooks, in order. Takes (list $), or (list $ <access>) for those with it; JSON */}}
{{- define "operator.paths" -}}
{{- $paths := list -}}
{{- $access := rest . -}}
{{- range include "operator.hooks" (first .) | fromJson -}}
{{- if and .enabled (or (empty $access) (has .access $access)) -}}
{{- $paths = append $paths .path -}}
{{- end -}}
{{- end -}}
{{- $paths | sortAlpha | toJson -}}
{{- end -}}

{{/*
A scalar as a variable's text. Numbers from a values file are floating point for Helm, those of --set are not: 1000000
must not become 1e+06, and both must be the same text.
*/}}
{{- define "operator.text" -}}
{{- if and (kindIs "float64" .) (eq . (floor .)) (lt . 1e15) (gt . -1e15) -}}
{{- int64 . -}}
{{- else -}}
{{- . -}}
{{- end -}}
{{- end -}}
