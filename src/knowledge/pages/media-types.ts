/** The media types that count as text pages. */
export const tableTypes = /^text\/(?:csv|tab-separated-values)\b/i;
export const htmlTypes = /^(?:text\/html|application\/xhtml\+xml)\b/i;
export const textTypes = /^(?:text\/(?!css|javascript)|application\/(?:json|xml|yaml|x-yaml|rss\+xml|atom\+xml)\b)/i;
