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

{{/* The files of nginx, which are those of deploy/nginx and deploy/kubernetes with the values. Pictures get six parts of ten, films three, and keys one. */}}
{{- define "titlecard.cacheFiles" -}}
{{- $name := include "titlecard.name" . -}}
{{- range tuple "nginx.conf" "titlecard.conf" "pictures.conf" "metrics.conf" }}
{{ . }}: |
  {{- $.Files.Get (printf "files/nginx/%s" .) | nindent 2 }}
{{- end }}
{{- $caches := .Files.Get "files/nginx/caches.conf" }}
{{- range $size, $parts := dict "6g" 6 "3g" 3 "1g" 1 }}
{{- $caches = $caches | replace (printf "max_size=%s" $size) (printf "max_size=%dm" (div (mul (int $.Values.cache.size) $parts 1024) 10)) }}
{{- end }}
caches.conf: |
  {{- $caches | nindent 2 }}
{{- range tuple "replicas.conf" "replicas-again.conf" }}
{{ . }}: |
  {{- $.Files.Get "files/nginx/replicas.conf" | replace "titlecard:8080" (printf "%s:8080" $name) | nindent 2 }}
{{- end }}
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
