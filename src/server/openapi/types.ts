/** As much of OpenAPI 3.1 as this document uses. */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** A value in an address or a header. */
export type Scalar = string | number | boolean | null

export interface Schema {
  $ref?: string
  type?: string
  format?: string
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: Scalar[]
  const?: Json
  default?: Json
  pattern?: string
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  examples?: Json[]
}

export interface Example {
  summary?: string
  value: Json
}

export interface Media {
  schema: Schema
  example?: Json
  examples?: Record<string, Example>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: Schema
  /** False: several values stand with commas between them. */
  explode?: false
  example?: Scalar
}

export interface Header {
  description: string
  schema: Schema
}

export interface Reply {
  description: string
  headers?: Record<string, Header | { $ref: string }>
  content?: Record<string, Media>
}

export interface RequestBody {
  required: boolean
  description?: string
  content: Record<string, Media>
}

export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security: Record<string, string[]>[]
  /** The calling admin needs all of them. */
  'x-permissions'?: string[]
  /** The calling platform key needs all of them. */
  'x-scopes'?: string[]
  parameters?: Parameter[]
  requestBody?: RequestBody
  responses: Record<string, Reply>
}

export interface Tag {
  name: string
  description: string
}

export interface OpenApiDocument {
  openapi: '3.1.0'
  info: { title: string; version: string; summary: string; description: string }
  servers: { url: string; description: string }[]
  tags: Tag[]
  'x-tagGroups': { name: string; description: string; tags: string[] }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: {
    schemas: Record<string, Schema>
    headers: Record<string, Header>
    securitySchemes: Record<string, Record<string, Json>>
  }
}
