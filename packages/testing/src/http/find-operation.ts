import type { TestOperation } from './test-http.ts'

/**
 * The model of routing that adapters are compared with, written for plainness: which operations have
 * the path, the best match first. Empty when the path is not below `/api`.
 */
export function findOperations(
  operations: readonly TestOperation[],
  target: string,
): readonly TestOperation[] {
  const path = target.split('?', 1)[0] as string
  if (!path.startsWith('/api/')) return []
  const segments = path.slice('/api/'.length).split('/')
  if (segments.length > 1 && segments.at(-1) === '') segments.pop()
  return operations
    .filter((operation) => fits(operation.path.split('/').slice(1), segments))
    .sort((a, b) => compare(a.path, b.path))
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) =>
      part.startsWith('{') ? segments[index] !== '' : part === segments[index],
    )
  )
}

/** Orders patterns of one length by their first difference: a literal goes before a parameter. */
function compare(a: string, b: string): number {
  const others = b.split('/')
  for (const [index, part] of a.split('/').entries()) {
    const isParameter = part.startsWith('{')
    if (isParameter !== others[index]?.startsWith('{')) return isParameter ? 1 : -1
  }
  return 0
}
