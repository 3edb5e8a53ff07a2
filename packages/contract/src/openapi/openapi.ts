import { limits } from '@gateleg/domain/limits'
import { z } from 'zod'
import manifest from '../../package.json' with { type: 'json' }
import { errorEnvelope } from '../error-envelope.ts'
import examples from '../examples.json' with { type: 'json' }
import { oauthErrorEnvelope, toOAuthEnvelope } from '../oauth-envelope.ts'
import { isAlsoByGet, notInQuery, type Operation } from '../operation.ts'
import { queryKindsOf } from '../queries/query-kind.ts'
import { describePermission, securityOf } from './describe-permission.ts'
import { errorResponses } from './error-responses.ts'
import { errorStatusesOf } from './error-statuses.ts'
import { type JsonSchema, JsonSchemas } from './json-schemas.ts'

/** What the document says of the server. */
export interface OpenApiOptions {
  /** The base URL that the paths are relative to; a relative one is relative to the document. */
  readonly serverUrl: string
}

type Json = Readonly<Record<string, unknown>>

/**
 * The OpenAPI 3.1 document of the operations. Zod writes the JSON Schemas in it.
 *
 * Not `zod-openapi`: it takes schemas of path, query and body apart, while an operation has one schema for all three
 * (a union, for one of them, which Zod can't split). Splitting the JSON Schema and saying the rest is what is done here.
 */
export function toOpenApi(operations: readonly Operation[], options: OpenApiOptions): Json {
  const steps = openApiSteps(operations, options)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

/** As `toOpenApi`, in steps of one operation each, so that a server can do other work in between. */
export function* openApiSteps(
  operations: readonly Operation[],
  { serverUrl }: OpenApiOptions,
): Generator<undefined, Json> {
  const schemas = new JsonSchemas()
  const paths: Record<string, Record<string, Json>> = {}
  for (const operation of operations) {
    const item = { ...paths[operation.path] }
    const described = toPathItem(operation, schemas)
    item[operation.method.toLowerCase()] = described
    const { alsoBy } = operation
    if (alsoBy) {
      // No two operations of a document have one id.
      item[alsoBy.toLowerCase()] = { ...described, operationId: `${operation.name}.${alsoBy}` }
    }
    if (isAlsoByGet(operation)) item.get = toBrowsedItem(operation, schemas)
    paths[operation.path] = item
    yield
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Gateleg',
      version: manifest.version,
      description: 'A workspace of bases, tables, fields, records and views over HTTP.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: serverUrl }],
    security: [{ bearer: [] }, { session: [] }],
    tags: [...new Set(operations.map(({ feature }) => feature))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description:
            'An access token of `POST /access-token`, or the `accessToken` that signing up or in answers: that one stands for the session, and may do all that its cookie may',
        },
        session: { type: 'apiKey', in: 'cookie', name: 'gateleg_session' },
        share: {
          type: 'apiKey',
          in: 'header',
          name: 'X-Share-Token',
          description:
            'The token that who gave the password of a share was answered; browsers have it as a cookie, too',
        },
      },
      headers,
      parameters,
      responses: toErrorResponses(schemas),
      schemas: schemas.components,
    },
  }
}

function toPathItem(operation: Operation, schemas: JsonSchemas): Json {
  const { useCase, name, hasQueryInput } = operation
  const id = toComponentName(name)
  const input = schemas.of(useCase.input, 'input', `${id}Input`)
  const body = hasQueryInput ? undefined : bodyOf(operation, input, schemas)
  const { fileMember } = operation
  const hasBody = body && (operation.bodyMember !== undefined || schemas.hasMembers(body))
  // Parameters are sent one by one, whatever option of a union they belong to.
  const flat = { ...input, properties: schemas.membersOf(input) }
  const example = exampleOf(operation)
  return {
    operationId: name,
    ...toHead(operation),
    parameters: [
      ...toPathParameters(operation, flat, example),
      ...(hasQueryInput ? toQueryParameters(operation, flat, example) : []),
      ...toHeaderParameters(operation),
    ],
    ...(hasBody && {
      requestBody: {
        required: operation.bodyMember !== undefined || schemas.isRequired(body),
        ...toRequestBody(operation, body, example),
      },
    }),
    ...(fileMember !== undefined && {
      requestBody: {
        required: true,
        content: {
          [operation.takesAnyFile ? '*/*' : (operation.fileType ?? 'text/csv')]: {
            schema: text,
            example: example.input[fileMember],
          },
        },
      },
    }),
    responses: {
      ...toResponses(operation, schemas.of(useCase.output, 'output', `${id}Output`), example),
      ...toErrors(operation, schemas),
    },
  }
}

/** What is said of an operation by whichever of its methods it is called. */
function toHead(operation: Operation): Json {
  return {
    tags: [operation.feature],
    summary: operation.useCase.summary,
    description: [operation.purpose, ...describePermission(operation)].join(' '),
    ...securityOf(operation),
  }
}

/** The item of an operation that browsers call by following a link: GET, the input in the query, a redirect as answer. */
function toBrowsedItem(operation: Operation, schemas: JsonSchemas): Json {
  const { name, cookie, useCase } = operation
  const input = schemas.of(useCase.input, 'input', `${toComponentName(name)}Input`)
  const flat = { ...input, properties: schemas.membersOf(input) }
  const example = exampleOf(operation)
  // What the browser began is in its cookie: a link may not say it.
  const inQuery = toQueryParameters(operation, flat, example).filter(
    (parameter) => cookie !== 'finishes' || parameter.name !== 'flow',
  )
  const asRead = { ...operation, hasQueryInput: true }
  return {
    ...toHead(operation),
    operationId: `${name}.GET`,
    parameters: [
      ...toPathParameters(operation, flat, example),
      ...inQuery,
      ...(cookie === 'finishes' ? [{ $ref: '#/components/parameters/SignInFlow' }] : []),
    ],
    responses: {
      ...(cookie === 'begins' && {
        200: {
          description: 'A page that asks a browser that another site led here whether to go on',
          content: pageContent,
        },
      }),
      302: sentOn(['Location', ...(cookie ? ['Set-Cookie'] : [])]),
      ...toBrowsedErrors(asRead, schemas),
    },
  }
}

/** The answer that sends a browser on, with these headers. */
function sentOn(names: readonly string[]): Json {
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

/** What was sent to a server, and answered; see `Documented`. */
interface Example {
  readonly input: Json
  readonly answer?: unknown
}

function exampleOf({ name }: Operation): Example {
  return (examples as Readonly<Record<string, Example>>)[name] ?? { input: {} }
}

/** The schema of what is sent beside the path. */
function bodyOf({ pathMembers, bodyMember }: Operation, input: JsonSchema, schemas: JsonSchemas) {
  if (bodyMember === undefined) return schemas.without(input, pathMembers)
  return schemas.membersOf(input)[bodyMember]
}

function toRequestBody(
  { pathMembers, bodyMember, body, takesForm }: Operation,
  schema: JsonSchema,
  { input }: Example,
): Json {
  const sent = Object.entries(input).filter(([name]) => !pathMembers.includes(name))
  const example = bodyMember === undefined ? Object.fromEntries(sent) : input[bodyMember]
  const type = body === 'multipart' ? 'multipart/form-data' : 'application/json'
  const content = { schema, example }
  return { content: { [type]: content, ...(takesForm && { [formType]: content }) } }
}

function toComponentName(name: string): string {
  return name
    .split('.')
    .map((part) => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')
}

function toPathParameters(
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

function toQueryParameters(operation: Operation, input: JsonSchema, example: Example): Json[] {
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

function toHeaderParameters({ method, isVersioned, useCase }: Operation): Json[] {
  const ofReading = isVersioned ? ['IfNoneMatch'] : []
  // What is done in a table can be undone in the window in which it was done.
  const ofTable = useCase.access.requirement.on === 'table' ? ['WindowId'] : []
  const names = method === 'GET' ? ofReading : ['IfMatch', 'IdempotencyKey', ...ofTable]
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }))
}

function toResponses(operation: Operation, output: JsonSchema, { answer }: Example): Json {
  const { status, method, useCase, isVersioned } = operation
  const isEmpty = useCase.output instanceof z.ZodVoid
  const common = { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } }
  const etag = isVersioned && { ETag: { $ref: '#/components/headers/ETag' } }
  const tagged = { ...common, ...etag }
  const mediaType = operation.answersFile ? '*/*' : (operation.answersText ?? 'application/json')
  const schema = operation.answersText === undefined ? output : text
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

function toErrors(operation: Operation, schemas: JsonSchemas): Json {
  if (operation.speaksOAuth) return toOAuthErrors(operation, schemas)
  return Object.fromEntries(
    errorStatusesOf(operation).map((code) => [code, { $ref: `#/components/responses/${code}` }]),
  )
}

/** The errors of an operation that browsers call by following a link: they get an HTML page. */
function toBrowsedErrors(operation: Operation, schemas: JsonSchemas): Json {
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

function toErrorResponses(schemas: JsonSchemas): Json {
  const schema = schemas.of(errorEnvelope, 'output', 'Error')
  return Object.fromEntries(
    Object.entries(errorResponses).map(([status, { description, example }]) => [
      status,
      { description, content: { 'application/json': { schema, example } } },
    ]),
  )
}

const text = { type: 'string' }

const formType = 'application/x-www-form-urlencoded'

const pageContent: Json = { 'text/html': { schema: text } }

const headers: Json = {
  ETag: {
    description: 'The version of the resource, and a hash of the answer: `"v3.GKq0iXwVtnQ"`',
    schema: text,
  },
  'X-Request-Id': { description: 'Names the request in the log of the service', schema: text },
  Location: { description: 'Where the browser goes', schema: text },
  'Set-Cookie': {
    description: 'The cookie of the flow that begins or ends, and that of a session that is opened',
    schema: text,
  },
}

const parameters: Json = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'Refuse with 412 when the resource has none of the versions of these entity tags: `"v3"` stands for `"v3.GKq0iXwVtnQ"` too. Where a request changes or deletes several records or fields, send one tag that all of them must have, or one tag for each, in the order of the request; any other number of tags is answered 400',
    schema: text,
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    description: 'Answer 304 when the answer would have one of these entity tags',
    schema: text,
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: `Answer a repeated request as the first one, for ${limits.idempotencyHours} hours; where that was a secret (a token, a code), refuse it`,
    schema: { ...text, maxLength: limits.idempotencyKeyLength },
  },
  SignInFlow: {
    name: 'gateleg_sign_in',
    in: 'cookie',
    required: true,
    description: 'What this browser began, as the redirect to the login provider set it',
    schema: { ...text, maxLength: limits.signInFlowLength },
  },
  WindowId: {
    name: 'X-Window-Id',
    in: 'header',
    description:
      'In which window of theirs the caller makes the call, by an id of their choice: what it changes can be undone there',
    schema: { ...text, maxLength: limits.windowIdLength },
  },
}
