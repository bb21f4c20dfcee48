{{- define "parley.name" -}}
{{- if contains "parley" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-parley" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end -}}
{{- end }}

{{- define "parley.selector" -}}
app.kubernetes.io/name: parley
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "parley.labels" -}}
{{ include "parley.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{/* "yes" where everything is stored in Redis, else nothing. */}}
{{- define "parley.usesRedis" -}}
{{- if or (has "REDIS_URL" .Values.secret.keys) (hasKey .Values.settings "REDIS_URL") }}yes{{ end -}}
{{- end }}
