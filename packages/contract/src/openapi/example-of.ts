import examples from '../examples.json' with { type: 'json' }
import type { Operation } from '../operation.ts'
import type { Json } from './json-schemas.ts'

/** What was sent to a server, and answered; see `Documented`. */
export interface Example {
  readonly input: Json
  readonly answer?: unknown
}

/** The example of the operation: nothing, where none is documented. */
export function exampleOf({ name }: Operation): Example {
  return (examples as Readonly<Record<string, Example>>)[name] ?? { input: {} }
}
