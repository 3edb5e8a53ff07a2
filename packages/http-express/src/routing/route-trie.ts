/** The result of looking up a path and method. */
export type Match<T> =
  | {
      readonly kind: 'found'
      readonly value: T
      /** The decoded segments at the parameters, in the order of the path. */
      readonly params: readonly string[]
    }
  /** The path exists, with these methods only. */
  | { readonly kind: 'other-method'; readonly allow: readonly string[] }
  | { readonly kind: 'absent' }
  /** The path is not percent-encoded UTF-8. */
  | { readonly kind: 'malformed' }

interface TrieNode<T> {
  readonly literals: Map<string, TrieNode<T>>
  param: TrieNode<T> | undefined
  readonly values: Map<string, T>
}

const absent = { kind: 'absent' } as const

/**
 * Finds routes by comparing whole segments, character by character, without a pattern language, so that nothing
 * matches by accident. Literal segments take precedence over parameters. Express's own routes don't fit: they ignore
 * case, are tried one after the other, and answer 404 where a path exists with other methods.
 */
export class RouteTrie<T> {
  readonly #root: TrieNode<T> = newNode()

  /** Adds a route. Throws when there is one for the same method and path. */
  add(method: string, path: string, value: T): void {
    let node = this.#root
    for (const segment of path.split('/').slice(1)) node = step(node, segment)
    if (node.values.has(method)) throw new Error(`There are two routes ${method} ${path}`)
    node.values.set(method, value)
  }

  /** Matches a path as it came over the wire: beginning with a slash, without a query. */
  match(method: string, path: string): Match<T> {
    const isEncoded = path.includes('%')
    if (isEncoded && decode(path) === undefined) return { kind: 'malformed' }
    const end = path.length > 1 && path.endsWith('/') ? path.length - 1 : path.length
    const segments = path.slice(1, end).split('/')
    const params: string[] = []
    const value = find(this.#root, method, segments, 0, params)
    if (value !== undefined) {
      const decoded = isEncoded ? params.map((param) => decode(param) ?? param) : params
      return { kind: 'found', value, params: decoded }
    }
    const allow = new Set<string>()
    collectMethods(this.#root, segments, 0, allow)
    return allow.size > 0 ? { kind: 'other-method', allow: [...allow].sort() } : absent
  }
}

function newNode<T>(): TrieNode<T> {
  return { literals: new Map(), param: undefined, values: new Map() }
}

function step<T>(node: TrieNode<T>, segment: string): TrieNode<T> {
  if (segment.startsWith('{')) {
    node.param ??= newNode()
    return node.param
  }
  const next = node.literals.get(segment) ?? newNode<T>()
  node.literals.set(segment, next)
  return next
}

/** As deep as the longest route at most; leaves in `params` what the found route took. */
function find<T>(
  node: TrieNode<T>,
  method: string,
  segments: readonly string[],
  index: number,
  params: string[],
): T | undefined {
  const segment = segments[index]
  if (segment === undefined) return node.values.get(method)
  const literal = node.literals.get(segment)
  const value = literal && find(literal, method, segments, index + 1, params)
  if (value !== undefined || !node.param || segment === '') return value
  params.push(segment)
  const taken = find(node.param, method, segments, index + 1, params)
  if (taken === undefined) params.pop()
  return taken
}

function collectMethods<T>(
  node: TrieNode<T>,
  segments: readonly string[],
  index: number,
  methods: Set<string>,
): void {
  const segment = segments[index]
  if (segment === undefined) {
    for (const method of node.values.keys()) methods.add(method)
    return
  }
  const literal = node.literals.get(segment)
  if (literal) collectMethods(literal, segments, index + 1, methods)
  if (node.param && segment !== '') collectMethods(node.param, segments, index + 1, methods)
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    // The only failure of decodeURIComponent is a malformed escape.
    return undefined
  }
}
