import { expect } from 'vitest'

/** Fails unless doing it to its own result changes nothing. */
export function assertIsIdempotent<T>(transform: (value: T) => T, value: T): void {
  const once = transform(value)
  expect(transform(once)).toStrictEqual(once)
}
