{{/*
What a hook must be told of its CRD, read from the file in crds/, which is thereby the only place that knows it.

Takes (dict "root" $ "key" <the value's name, for messages> "file" <path>).
JSON: {group, plural, apiVersion, kind, resource: "<plural>.<group>", status: whether there is a status subresource}
*/}}
{{- define "operator.crd" -}}
{{- $file := include "operator.crdFile" .file -}}
{{- $text := .root.Files.Get $file -}}
{{- if not $text -}}
{{- fail (printf "%s: there is no file %q in the chart" .key $file) -}}
{{- end -}}
{{- $crd := fromYaml $text -}}
{{- if ne (get $crd "kind" | toString) "CustomResourceDefinition" -}}
{{- fail (printf "%s: %q is not a CustomResourceDefinition" .key $file) -}}
{{- end -}}
{{- $version := dict -}}
{{- range $crd.spec.versions -}}
{{- if .storage -}}
{{- $version = . -}}
{{- end -}}
{{- end -}}
{{- $names := $crd.spec.names -}}
{{- if not (and $crd.spec.group $names.kind $names.plural $version.name $version.served) -}}
{{- fail (printf "%s: %q lacks a group, a kind, a plural or a served storage version" .key $file) -}}
{{- end -}}
{{- dict
    "group" $crd.spec.group
    "plural" $names.plural
    "apiVersion" (printf "%s/%s" $crd.spec.group $version.name)
    "kind" $names.kind
    "resource" (printf "%s.%s" $names.plural $crd.spec.group)
    "status" (hasKey ($version.subresources | default dict) "status")
  | toJson -}}
{{- end -}}

{{/* `hook.crd` may be written with or without the folder. */}}
{{- define "operator.crdFile" -}}
crds/{{ . | trimPrefix "crds/" -}}
{{- end -}}
