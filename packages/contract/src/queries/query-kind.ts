import { assert } from '@gateleg/domain/errors'
import { z } from 'zod'

/** How a member of an input may be written in a query string; several ways for a union. */
export interface QueryKind {
  /** As it is. */
  readonly text?: true
  /** In no way: the schema refuses all there is, and says why. */
  readonly never?: true
  /** In decimal digits. */
  readonly number?: true
  /** `true` or `false`. */
  readonly boolean?: true
  /** As JSON text. */
  readonly json?: true
  /** As a repeated key, with the kind of each item by position; the last is that of all further ones. */
  readonly list?: readonly QueryKind[]
}

/** The keywords of JSON Schema that say how a value is written. */
interface Schema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly prefixItems?: readonly Schema[]
  readonly items?: Schema
  /** What isn't built yet; see `notYet`. */
  readonly 'x-not-yet'?: true
}

/**
 * How the members of an input are written in a query string, by name: of an object, or of all options of a union of
 * them. It is read from the JSON Schema of the input, which takes about a millisecond: ask once.
 */
export function queryKindsOf(input: z.ZodType): ReadonlyMap<string, QueryKind> {
  const root = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema
  const reader = new KindReader(root)
  return new Map(
    reader.membersOf(root).map(([name, member]) => [name, reader.kindOf(member, [])] as const),
  )
}

class KindReader {
  readonly #root: Schema

  constructor(root: Schema) {
    this.#root = root
  }

  membersOf(schema: Schema): readonly (readonly [name: string, member: Schema])[] {
    const { $ref, properties = {}, anyOf = [], oneOf = [], allOf = [] } = schema
    const parts = [...($ref === undefined ? [] : [this.#find($ref)]), ...anyOf, ...oneOf, ...allOf]
    return [...Object.entries(properties), ...parts.flatMap((part) => this.membersOf(part))]
  }

  /** The references are those that led here: what is part of itself is a structure, and so JSON. */
  kindOf(schema: Schema, references: readonly string[]): QueryKind {
    const { $ref } = schema
    if ($ref !== undefined) {
      if (references.includes($ref)) return { json: true }
      return this.kindOf(this.#find($ref), [...references, $ref])
    }
    const options = schema.anyOf ?? schema.oneOf
    if (options) return ofOptions(options.map((option) => this.kindOf(option, references)))
    if ('const' in schema) return ofValues([schema.const])
    if (schema.enum) return ofValues(schema.enum)
    const { type } = schema
    if (type === undefined) {
      return schema['x-not-yet'] ? { text: true, never: true } : { json: true }
    }
    const types = typeof type === 'string' ? [type] : type
    return ofOptions(types.map((one) => this.#ofType(one, schema, references)))
  }

  #ofType(type: string, schema: Schema, references: readonly string[]): QueryKind {
    switch (type) {
      case 'string':
        return { text: true }
      case 'number':
      case 'integer':
        return { number: true }
      case 'boolean':
        return { boolean: true }
      case 'null':
        return {}
      case 'array':
        return this.#ofItems(schema, references)
      default:
        return { json: true }
    }
  }

  /** Items that are themselves structures can't be repeated keys: the whole list is JSON then. */
  #ofItems({ prefixItems = [], items }: Schema, references: readonly string[]): QueryKind {
    const all = items ? [...prefixItems, items] : prefixItems
    const kinds = all.map((item) => this.kindOf(item, references))
    return kinds.some((kind) => kind.json || kind.list) ? { json: true } : { list: kinds }
  }

  #find(reference: string): Schema {
    const found =
      reference === '#' ? this.#root : this.#root.$defs?.[reference.slice('#/$defs/'.length)]
    assert(found, `there is a definition for ${reference}`)
    return found
  }
}

function ofValues(values: readonly unknown[]): QueryKind {
  return values
    .map((value): QueryKind => {
      if (typeof value === 'number') return { number: true }
      if (typeof value === 'boolean') return { boolean: true }
      return typeof value === 'string' ? { text: true } : {}
    })
    .reduce(merge, {})
}

/** What can be written in one way can be written, whatever the other options say. */
function ofOptions(options: readonly QueryKind[]): QueryKind {
  return options.filter(({ never }) => !never).reduce(merge, {})
}

function merge(a: QueryKind, b: QueryKind): QueryKind {
  if (!a.list || !b.list) return { ...a, ...b }
  const [longer, shorter] = a.list.length < b.list.length ? [b.list, a.list] : [a.list, b.list]
  const list = longer.map((kind, index) => merge(kind, shorter[index] ?? {}))
  return { ...a, ...b, list }
}
