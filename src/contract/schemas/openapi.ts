export const openApiSchemas = {
  document: { summary: 'This description as OpenAPI 3.1' },
  reader: { summary: 'This description as a page to read' },
}
