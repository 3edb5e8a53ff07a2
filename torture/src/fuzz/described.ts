/** A JSON Schema, as far as values are made from it. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly prefixItems?: readonly Schema[]
  /** What comes after the first ones: false where nothing may. */
  readonly items?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly $ref?: string
}

export interface DescribedParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly schema: Schema
}

/** An operation of an OpenAPI document. */
export interface Described {
  readonly method: string
  readonly path: string
  readonly parameters: readonly DescribedParameter[]
  readonly body: Schema | undefined
  /** What a reference within the document leads to. */
  readonly resolve: (reference: string) => Schema
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

interface Operation {
  readonly parameters?: readonly (Partial<DescribedParameter> & {
    readonly $ref?: string
    readonly content?: Readonly<Record<string, { readonly schema: Schema }>>
  })[]
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>
  }
}

/** The operations of a document. */
export function describedIn(document: unknown): readonly Described[] {
  const resolve = (reference: string): Schema =>
    reference
      .slice(2)
      .split('/')
      .reduce<unknown>((node, key) => (node as Record<string, unknown>)?.[key], document) as Schema
  return Object.entries((document as Document).paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      parameters: (operation.parameters ?? []).flatMap((parameter): DescribedParameter[] => {
        const { name, in: where, schema, content } = parameter
        if (name === undefined || where === undefined) return []
        return [{ name, in: where, schema: schema ?? content?.['application/json']?.schema ?? {} }]
      }),
      body: operation.requestBody?.content['application/json']?.schema,
      resolve,
    })),
  )
}
