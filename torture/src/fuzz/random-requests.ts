import type { RawRequest } from '../attack.ts'
import type { Described, Schema } from './described.ts'

/** Levels to which values are made from schemas that hold themselves. */
const deepest = 5

/** Values that programs trip over. */
const awkward: readonly unknown[] = [
  null,
  '',
  ' ',
  0,
  -1,
  1e308,
  0.1,
  2 ** 53,
  true,
  [],
  {},
  [[]],
  // As text: in a literal it would be the prototype, and not be sent.
  JSON.parse('{"__proto__":null,"constructor":1}'),
  'constructor',
  '__proto__',
  "'; drop table records; --",
  '\u0000',
  '\ud800',
  '💥'.repeat(50),
  'x'.repeat(3_000),
  '../../etc/passwd',
  '%00%ff',
  '{"a":1}',
  '9999-99-99',
  'NaN',
]

/** Requests made at random: most of them nearly right, some quite wrong. */
export class RandomRequests {
  readonly #operations: readonly Described[]
  readonly #ids: ReadonlyMap<string, readonly string[]>
  #state: number

  constructor(
    operations: readonly Described[],
    ids: ReadonlyMap<string, readonly string[]>,
    seed: number,
  ) {
    this.#operations = operations
    this.#ids = ids
    this.#state = seed >>> 0
  }

  next(): RawRequest {
    const operation = this.#pick(this.#operations)
    const { method, parameters, body } = operation
    let { path } = operation
    const query: string[] = []
    for (const { name, in: where, schema } of parameters) {
      const text = () => encodeURIComponent(this.#toText(this.#named(name, schema, operation)))
      if (where === 'path') path = path.replace(`{${name}}`, () => text() || 'x')
      else if (where === 'query' && this.#chance(0.5)) query.push(`${name}=${text()}`)
    }
    return {
      method,
      path: `/api${path}${query.length > 0 ? `?${query.join('&')}` : ''}`,
      headers: this.#headers(body !== undefined),
      ...(body && { body: this.#body(body, operation) }),
    }
  }

  #headers(hasBody: boolean): Record<string, string> {
    return {
      ...(hasBody && { 'Content-Type': 'application/json' }),
      ...(this.#chance(0.05) && {
        'If-Match': this.#pick(['*', '"v1"', '"v1.x"', 'x', '"v9999999999999"']),
      }),
      ...(this.#chance(0.05) && { 'Idempotency-Key': this.#pick(['a', 'b', 'x'.repeat(300)]) }),
      ...(this.#chance(0.02) && { Authorization: 'Bearer nonsense' }),
    }
  }

  #body(schema: Schema, operation: Described): string {
    const text = JSON.stringify(this.#value(schema, operation, 0)) ?? ''
    if (!this.#chance(0.03)) return text
    return text.slice(0, Math.floor(this.#random() * text.length))
  }

  /** An id of something that is there where the name asks for one, as a rule. */
  #named(name: string, schema: Schema, operation: Described, depth = 0): unknown {
    const known = this.#ids.get(name.replace(/s?\[?\]?$/, '')) ?? this.#ids.get(name)
    if (known && this.#chance(0.85)) return this.#pick(known)
    return this.#value(schema, operation, depth)
  }

  #value(schema: Schema, operation: Described, depth: number): unknown {
    if (this.#chance(0.06)) return this.#pick(awkward)
    if (schema.$ref) return this.#value(operation.resolve(schema.$ref), operation, depth + 1)
    const options = schema.anyOf ?? schema.oneOf ?? schema.allOf
    if (options) return depth > deepest ? null : this.#value(this.#pick(options), operation, depth)
    if (schema.enum) return this.#pick(schema.enum)
    if ('const' in schema) return schema.const
    const type = Array.isArray(schema.type) ? this.#pick(schema.type) : schema.type
    switch (type) {
      case 'object':
        return this.#object(schema, operation, depth)
      case 'array':
        return depth > deepest ? [] : this.#array(schema, operation, depth)
      case 'integer':
      case 'number':
        return this.#pick([0, 1, 2, 5, 20, 100, -1, 1.5, 2_000, 1e9])
      case 'boolean':
        return this.#chance(0.5)
      case 'string':
        return this.#pick(['Name', 'a', 'Count', '2026-01-01', '{Name}', 'id', 'red', '1 + 1'])
      default:
        return this.#pick(awkward)
    }
  }

  #object({ properties = {} }: Schema, operation: Described, depth: number): unknown {
    const members = Object.entries(properties).filter(() => this.#chance(depth > 2 ? 0.3 : 0.7))
    const made = members.map(
      ([name, schema]) => [name, this.#named(name, schema, operation, depth + 1)] as const,
    )
    if (this.#chance(0.1)) made.push(['Name', this.#pick(awkward)])
    return Object.fromEntries(made)
  }

  /** As many as are asked for one by one, as a rule; one that may not be there is of any kind. */
  #array(schema: Schema, operation: Described, depth: number): unknown[] {
    const { prefixItems = [], items } = schema
    const rest = typeof items === 'object' ? items : {}
    const asked = prefixItems.length
    const length = asked > 0 && this.#chance(0.8) ? asked : this.#pick([0, 1, 1, 2, 3])
    return Array.from({ length }, (_, index) =>
      this.#value(prefixItems[index] ?? rest, operation, depth + 1),
    )
  }

  #toText(value: unknown): string {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    // A half of a surrogate pair can't be part of an address.
    return (text ?? '').replace(/[\ud800-\udfff]/g, '?')
  }

  #pick<T>(values: readonly T[]): T {
    return values[Math.floor(this.#random() * values.length)] as T
  }

  #chance(part: number): boolean {
    return this.#random() < part
  }

  /** Mulberry32: small, and the same in every run. */
  #random(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let bits = this.#state
    bits = Math.imul(bits ^ (bits >>> 15), bits | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296
  }
}
