/** The media types that count as text pages. */
export const tableTypes = /^text\/(?:csv|tab-separated-values)\b/i;
export const htmlTypes = /^(?:text\/html|application\/(?:xhtml\+xml|vnd\.wap\.xhtml\+xml))\b/i;
export const textTypes =
  /^(?:text\/(?!css|javascript)|application\/(?:(?:[\w.-]+\+)?(?:json|xml|yaml)|x-yaml|markdown|x-markdown)\b)/i;
/** What servers say of files whose type they don't know, Markdown among them, and of packed sitemaps: the bytes decide. */
export const unknownTypes =
  /^(?:(?:application|binary)\/octet-stream|application\/(?:force-download|x-download|x-unknown|gzip|x-gzip)|unknown\/unknown)\b/i;
