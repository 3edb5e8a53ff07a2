import { limits } from '@gateleg/domain/limits'
import { notInQuery, type Operation } from '../operation.ts'
import { queryKindsOf } from '../queries/query-kind.ts'
import type { Example } from './example-of.ts'
import { type Json, type JsonSchema, textSchema } from './json-schemas.ts'

/** The parameters in the path of the operation. */
export function toPathParameters(
  { pathMembers }: Operation,
  { properties = {} }: JsonSchema,
  example: Example,
): Json[] {
  return pathMembers.map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: properties[name] ?? { type: 'string' },
    example: example.input[name],
  }))
}

/** The parameters in the query of the operation. */
export function toQueryParameters(
  operation: Operation,
  input: JsonSchema,
  example: Example,
): Json[] {
  const { useCase } = operation
  const left = notInQuery(operation)
  const kinds = queryKindsOf(useCase.input)
  return Object.entries(input.properties ?? {})
    .filter(([name]) => !left.includes(name))
    .map(([name, schema]) => {
      const kind = kinds.get(name) ?? {}
      const required = input.required?.includes(name) ?? false
      const described = schema.description === undefined ? {} : { description: schema.description }
      const shown = name in example.input ? { example: example.input[name] } : {}
      const shape = kind.json
        ? { content: { 'application/json': { schema, ...shown } } }
        : { schema, ...shown }
      return { name: kind.list ? `${name}[]` : name, in: 'query', required, ...described, ...shape }
    })
}

/** The headers that callers of the operation may send. */
export function toHeaderParameters({ method, isVersioned, useCase }: Operation): Json[] {
  const ofReading = isVersioned ? ['IfNoneMatch'] : []
  // What is done in a table can be undone in the window in which it was done.
  const ofTable = useCase.access.requirement.on === 'table' ? ['WindowId'] : []
  const names = method === 'GET' ? ofReading : ['IfMatch', 'IdempotencyKey', ...ofTable]
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }))
}

/** The parameters that operations share, by the names by which they refer to them. */
export const parameters: Json = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'Refuse with 412 when the resource has none of the versions of these entity tags: `"v3"` stands for `"v3.GKq0iXwVtnQ"` too. Where a request changes or deletes several records or fields, send one tag that all of them must have, or one tag for each, in the order of the request; any other number of tags is answered 400',
    schema: textSchema,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Answer 304 when the answer would have one of these entity tags',
    schema: textSchema,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: `Answer a repeated request as the first one, for ${limits.idempotencyHours} hours; where that was a secret (a token, a code), refuse it`,
    schema: { ...textSchema, maxLength: limits.idempotencyKeyLength },
  },
  SignInFlow: {
    name: 'gateleg_sign_in',
    in: 'cookie',
    required: true,
    description: 'What this browser began, as the redirect to the login provider set it',
    schema: { ...textSchema, maxLength: limits.signInFlowLength },
  },
  WindowId: {
    name: 'X-Window-Id',
    in: 'header',
    description:
      'In which window of theirs the caller makes the call, by an id of their choice: what it changes can be undone there',
    schema: { ...textSchema, maxLength: limits.windowIdLength },
  },
}
