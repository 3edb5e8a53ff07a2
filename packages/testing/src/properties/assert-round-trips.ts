import { expect } from 'vitest'

/** Fails unless the value comes back from its other form. */
export function assertRoundTrips<T, Form>(
  value: T,
  toForm: (value: T) => Form,
  fromForm: (form: Form) => unknown,
): void {
  expect(fromForm(toForm(value))).toStrictEqual(value)
}
