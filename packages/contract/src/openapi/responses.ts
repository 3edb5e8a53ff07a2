import { z } from 'zod'
import { errorEnvelope } from '../error-envelope.ts'
import { oauthErrorEnvelope, toOAuthEnvelope } from '../oauth-envelope.ts'
import type { Operation } from '../operation.ts'
import { errorResponses } from './error-responses.ts'
import { errorStatusesOf } from './error-statuses.ts'
import type { Example } from './example-of.ts'
import { type Json, type JsonSchema, type JsonSchemas, textSchema } from './json-schemas.ts'

/** The headers of answers, by the names by which operations refer to them. */
export const headers: Json = {
  ETag: {
    description: 'The version of the resource, and a hash of the answer: `"v3.GKq0iXwVtnQ"`',
    schema: textSchema,
  },
  'X-Request-Id': {
    description: 'Names the request in the log of the service',
    schema: textSchema,
  },
  Location: { description: 'Where the browser goes', schema: textSchema },
  'Set-Cookie': {
    description: 'The cookie of the flow that begins or ends, and that of a session that is opened',
    schema: textSchema,
  },
}

/** A page for people. */
export const pageContent: Json = { 'text/html': { schema: textSchema } }

/** The answer that sends a browser on, with these headers. */
export function sentOn(names: readonly string[]): Json {
  return {
    description: 'The browser goes on to where the header says; the body is empty',
    headers: Object.fromEntries(
      [...names, 'X-Request-Id'].map((header) => [
        header,
        { $ref: `#/components/headers/${header}` },
      ]),
    ),
  }
}

/** What the operation answers where it does what was asked for. */
export function toResponses(operation: Operation, output: JsonSchema, { answer }: Example): Json {
  const { status, method, useCase, isVersioned } = operation
  const isEmpty = useCase.output instanceof z.ZodVoid
  const common = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }
  const etag = isVersioned && { ETag: { $ref: '#/components/headers/ETag' } }
  const tagged = { ...common, ...etag }
  const mediaType = operation.answersFile ? '*/*' : (operation.answersText ?? 'application/json')
  const schema = operation.answersText === undefined ? output : textSchema
  const isPage = operation.isForPeople && method === 'GET'
  const content = { [mediaType]: { schema, example: answer }, ...(isPage && pageContent) }
  const part = { description: 'The part of the file that is asked for', headers: common, content }
  return {
    [status]: isEmpty
      ? { description: 'Done; the body is empty', headers: common }
      : {
          description: 'Done',
          headers: tagged,
          content,
        },
    ...(isPage && { 302: sentOn(['Location']) }),
    ...(operation.takesForm && operation.redirectsTo && { 303: sentOn(['Location']) }),
    ...(operation.answersFile && {
      206: part,
      304: { description: 'Not changed', headers: common },
    }),
    ...(method === 'GET' &&
      isVersioned && { 304: { description: 'Not changed', headers: tagged } }),
  }
}

/** The errors of the operation, by their status. */
export function toErrors(operation: Operation, schemas: JsonSchemas): Json {
  if (operation.speaksOAuth) return toOAuthErrors(operation, schemas)
  return Object.fromEntries(
    errorStatusesOf(operation).map((code) => [code, { $ref: `#/components/responses/${code}` }]),
  )
}

/** The errors of an operation that browsers call by following a link: they get an HTML page. */
export function toBrowsedErrors(operation: Operation, schemas: JsonSchemas): Json {
  const schema = schemas.of(errorEnvelope, 'output', 'Error')
  return Object.fromEntries(
    errorStatusesOf(operation).map((status) => {
      const { description, example } = errorResponses[status] ?? {}
      const content = { 'application/json': { schema, example }, ...pageContent }
      return [status, { description, content }]
    }),
  )
}

const unknownApp = { oauthError: 'invalid_client' }

/** The errors of an operation that OAuth apps call, which look for the words of OAuth. */
function toOAuthErrors(operation: Operation, schemas: JsonSchemas): Json {
  const schema = schemas.of(oauthErrorEnvelope, 'output', 'OAuthError')
  return Object.fromEntries(
    errorStatusesOf(operation).flatMap((status) => {
      const response = errorResponses[status]
      if (!response) return []
      const example = toOAuthEnvelope(
        status === 401 ? { ...response.example, data: unknownApp } : response.example,
      )
      const content = { 'application/json': { schema, example } }
      return [[status, { description: response.description, content }]]
    }),
  )
}

/** The errors that operations share, by their status. */
export function toErrorResponses(schemas: JsonSchemas): Json {
  const schema = schemas.of(errorEnvelope, 'output', 'Error')
  return Object.fromEntries(
    Object.entries(errorResponses).map(([status, { description, example }]) => [
      status,
      { description, content: { 'application/json': { schema, example } } },
    ]),
  )
}
