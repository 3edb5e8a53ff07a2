import manifest from '../../package.json' with { type: 'json' }
import { isAlsoByGet, type Operation } from '../operation.ts'
import { describePermission, securityOf } from './describe-permission.ts'
import { type Example, exampleOf } from './example-of.ts'
import { type Json, type JsonSchema, JsonSchemas, textSchema } from './json-schemas.ts'
import {
  parameters,
  toHeaderParameters,
  toPathParameters,
  toQueryParameters,
} from './parameters.ts'
import {
  headers,
  pageContent,
  sentOn,
  toBrowsedErrors,
  toErrorResponses,
  toErrors,
  toResponses,
} from './responses.ts'

const formType = 'application/x-www-form-urlencoded'

/** What the document says of the server. */
export interface OpenApiOptions {
  /** The base URL that the paths are relative to; a relative one is relative to the document. */
  readonly serverUrl: string
}

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
            schema: textSchema,
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
