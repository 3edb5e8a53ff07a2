import { limits } from '@gateleg/domain/limits'
import { refusalOf, requireAtOnce } from './json-refusal.ts'
import type { JsonLimits } from './parse-json.ts'

/**
 * Holds a value that somebody else parsed of JSON text to the rules of `parseJson`. Its texts are as long as
 * they are, not as they were written.
 */
export function requireLikeParsed(
  value: unknown,
  path: readonly string[],
  { values: most = limits.jsonValues }: Pick<JsonLimits, 'values'> = {},
): void {
  const walk = new Walk(path, most)
  const lists = new Set<unknown>()
  if (isContainer(value) && !Array.isArray(value)) {
    for (const member of walk.open(value)) if (Array.isArray(member)) lists.add(member)
  }
  const atOnce = [walk.go([value], 0, lists)]
  for (const list of lists) for (const item of list as unknown[]) atOnce.push(walk.go([item], 2))
  for (const values of atOnce) requireAtOnce({ values, length: 0 })
}

/** Goes through parts of a value, level by level, and counts over all of them. */
class Walk {
  readonly #path: readonly string[]
  readonly #most: number
  #values = 0
  readonly #names = new Set<string>()

  constructor(path: readonly string[], most: number) {
    this.#path = path
    this.#most = most
  }

  /** Counts what there is from the level at the depth on, but for what is in the lists that are left apart. */
  go(from: readonly unknown[], fromDepth: number, apart?: ReadonlySet<unknown>): number {
    const before = this.#values
    let level = from
    for (let depth = fromDepth; level.length > 0; depth++) {
      this.#values += level.length
      if (this.#values > this.#most) throw refusalOf('values', this.#path, this.#most)
      if (level.some(isLongText)) throw refusalOf('text', this.#path, this.#most)
      const containers = level.filter(isContainer)
      if (depth === limits.jsonDepth && containers.length > 0) {
        throw refusalOf('depth', this.#path, this.#most)
      }
      level = containers.flatMap((one) => (apart?.has(one) ? [] : this.open(one)))
    }
    return this.#values - before
  }

  /** What is in a list or an object. */
  open(container: object): unknown[] {
    if (Array.isArray(container)) return container
    const names = Object.keys(container)
    if (names.length > limits.jsonMembers) throw refusalOf('members', this.#path, this.#most)
    if (names.some(isLongText)) throw refusalOf('text', this.#path, this.#most)
    for (const name of names) this.#names.add(name)
    if (this.#names.size > limits.jsonNames) throw refusalOf('names', this.#path, this.#most)
    return Object.values(container)
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isLongText(value: unknown): boolean {
  return typeof value === 'string' && value.length > limits.jsonTextLength
}
