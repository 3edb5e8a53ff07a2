import { invalidAt } from './errors.ts'

/**
 * Throws validation_error for options of a call (`CallOptions`) that are none: a program in plain JavaScript has no compiler that
 * tells it.
 */
export function requireCallOptions(options: unknown): void {
  if (typeof options !== 'object' || options === null) {
    throw invalidAt(['options'], 'must be an object, such as { ifMatch: [3] }')
  }
  const { ifMatch, idempotencyKey } = options as Readonly<Record<string, unknown>>
  if (ifMatch !== undefined && !isVersions(ifMatch)) {
    throw invalidAt(['ifMatch'], 'must be a list of versions, such as [3]')
  }
  if (idempotencyKey !== undefined && typeof idempotencyKey !== 'string') {
    throw invalidAt(['idempotencyKey'], 'must be text')
  }
}

function isVersions(value: unknown): boolean {
  return Array.isArray(value) && value.every((version) => Number.isInteger(version))
}
