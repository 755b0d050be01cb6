{{/* The name of what the release consists of: that of the release. A Pod of a StatefulSet has it in a label of at most 63 characters. */}}
{{- define "titlecard.name" -}}
{{ .Release.Name | trunc 40 | trimSuffix "-" }}
{{- end }}

{{- define "titlecard.image" -}}
{{- $repository := required "image.repository is needed: that of the release that you use" .Values.image.repository -}}
{{- if .Values.image.digest -}}
{{ $repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ $repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end }}

{{/* The options as variables of the environment. */}}
{{- define "titlecard.options" -}}
{{- if .Values.host }}
TITLECARD_PUBLIC_URL: {{ printf "https://%s" .Values.host | quote }}
{{- end }}
{{- range $name, $value := .Values.options }}
TITLECARD_{{ $name | upper | replace "-" "_" }}: {{ include "titlecard.value" $value | quote }}
{{- end }}
{{- end }}

{{/* A number of a values file is a floating-point number: 1000000 would be 1e+06. */}}
{{- define "titlecard.value" -}}
{{- if kindIs "float64" . -}}
{{- if eq . (floor .) }}{{ int64 . }}{{ else }}{{ . }}{{ end -}}
{{- else }}{{ . }}{{ end -}}
{{- end }}

{{- define "titlecard.hasVolumes" -}}
{{- if or .Values.signingKeys.secret .Values.fonts }}true{{ end -}}
{{- end }}

{{/* The files of nginx, which are those of deploy/nginx with the values. */}}
{{- define "titlecard.cacheFiles" -}}
nginx.conf: |
  {{- .Files.Get "files/nginx/nginx.conf" | nindent 2 }}
titlecard.conf: |
  {{- .Files.Get "files/nginx/titlecard.conf" | replace "max_size=10g" (printf "max_size=%dg" (int .Values.cache.size)) | nindent 2 }}
pictures.conf: |
  {{- .Files.Get "files/nginx/pictures.conf" | nindent 2 }}
replicas.conf: |
  {{- .Files.Get "files/nginx/replicas.conf" | replace "titlecard:8080" (printf "%s:8080" (include "titlecard.name" .)) | nindent 2 }}
clients.conf: |
  {{- if .Values.proxies }}
  {{- range .Values.proxies }}
  set_real_ip_from {{ . }};
  {{- end }}
  {{- .Files.Get "files/nginx/proxied-clients.conf" | regexFind "(?s)real_ip_header.*" | nindent 2 }}
  {{- else }}
  {{- .Files.Get "files/nginx/clients.conf" | nindent 2 }}
  {{- end }}
{{- end }}
