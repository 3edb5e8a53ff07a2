import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { operations } from '../operations.ts'
import { toOpenApi } from './openapi.ts'

interface Described {
  readonly operationId: string
  readonly security?: readonly unknown[]
  readonly parameters: readonly { readonly name?: string; readonly in?: string; $ref?: string }[]
  readonly description: string
  readonly requestBody?: { readonly required: boolean; readonly content: object }
  readonly responses: Readonly<
    Record<string, { readonly content?: object; readonly headers?: object; $ref?: string }>
  >
}

const document = JSON.parse(JSON.stringify(toOpenApi(operations, { serverUrl: '/api' })))
const paths = document.paths as Readonly<Record<string, Readonly<Record<string, Described>>>>

function find(method: string, path: string): Described {
  const described = paths[path]?.[method]
  if (!described) throw new Error(`${method} ${path} is not described`)
  return described
}

test('[CONTRACT-6] is a valid document of OpenAPI 3.1', async () => {
  const result = await new Validator().validate(structuredClone(document))
  expect(result.errors).toBeUndefined()
  expect(document.openapi).toBe('3.1.0')
})

const idsOf = ({ name, alsoBy, redirectsTo, takesForm }: (typeof operations)[number]) => [
  name,
  ...(alsoBy ? [`${name}.${alsoBy}`] : []),
  ...(redirectsTo && !takesForm ? [`${name}.GET`] : []),
]

test('[CONTRACT-6] describes every operation once, by each of its methods', () => {
  const ids = Object.values(paths).flatMap((item) => Object.values(item).map((o) => o.operationId))
  expect(ids.toSorted()).toEqual(operations.flatMap(idsOf).toSorted())
})

test('[CONTRACT-6] says how browsers sign in by a login provider: by links that send them on', () => {
  const namesOf = (path: string) => {
    const { parameters, requestBody, responses, security } = find('get', path)
    expect(requestBody).toBeUndefined()
    expect(security).toEqual([])
    expect(Object.keys(responses)).toEqual(
      expect.arrayContaining(['302', '400', '403', '404', '424', '429']),
    )
    for (const other of ['415', '413']) expect(responses).not.toHaveProperty(other)
    const isStart = path.endsWith('/start')
    expect(responses).toHaveProperty(['400', 'content', 'text/html'])
    expect('200' in responses).toBe(isStart)
    expect(responses['302']?.content).toBeUndefined()
    expect(Object.keys(responses['302']?.headers ?? {})).toEqual(
      expect.arrayContaining(['Location', 'Set-Cookie']),
    )
    return parameters.map(({ name, in: where, $ref }) => $ref ?? `${where} ${name}`)
  }
  expect(namesOf('/auth/oidc/{providerId}/start')).toEqual([
    ...['path providerId', 'query redirect', 'query inviteCode'],
  ])
  expect(namesOf('/auth/oidc/{providerId}/callback')).toEqual([
    ...['path providerId', 'query state', 'query code', 'query iss', 'query error'],
    '#/components/parameters/SignInFlow',
  ])
})

test('[CONTRACT-6] says nothing of what is not built yet', () => {
  const { parameters } = find('get', '/table/{tableId}/record')
  const names = parameters.flatMap(({ name = [] }) => name)
  expect(names).toEqual(expect.arrayContaining(['take', 'skip', 'projection[]']))
  for (const later of ['filterByTql', 'queryId']) {
    expect(names).not.toContain(later)
  }
  expect(JSON.stringify(document)).not.toContain('x-not-yet')
})

test('[CONTRACT-6] refers only to what is there', () => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)
  for (const [, path = ''] of references) {
    const target = path.split('/').reduce((node, key) => node?.[key], document)
    expect([path, target === undefined]).toEqual([path, false])
  }
})

test('[CONTRACT-6] says what a request takes: path, query, headers and body', () => {
  const rename = find('patch', '/space/{spaceId}')
  expect(rename.parameters).toMatchObject([
    { name: 'spaceId', in: 'path', required: true },
    { $ref: '#/components/parameters/IfMatch' },
    { $ref: '#/components/parameters/IdempotencyKey' },
  ])
  expect(rename.requestBody).toMatchObject({
    content: { 'application/json': { schema: { properties: { name: { type: 'string' } } } } },
  })
  expect(JSON.stringify(rename.requestBody)).not.toContain('spaceId')
  expect(find('get', '/space/{spaceId}').requestBody).toBeUndefined()
  expect(find('get', '/space/{spaceId}').parameters).toContainEqual({
    $ref: '#/components/parameters/IfNoneMatch',
  })
})

test('[CONTRACT-6] says how lists are sent in a query, and what a body leaves to the path', () => {
  const references = find('get', '/table/{tableId}/field/delete-references')
  expect(references.parameters).toMatchObject([
    { name: 'tableId', in: 'path' },
    { name: 'fieldIds[]', in: 'query', required: true, schema: { type: 'array', minItems: 1 } },
  ])
  for (const what of ['convert', 'plan']) {
    const { parameters, requestBody } = find('put', `/table/{tableId}/field/{fieldId}/${what}`)
    expect(parameters).toMatchObject([{ name: 'tableId' }, { name: 'fieldId' }, {}, {}, {}])
    expect(parameters).toContainEqual({ $ref: '#/components/parameters/WindowId' })
    const ofField = { schema: { $ref: '#/components/schemas/FieldConversionInput' } }
    expect(requestBody?.content).toMatchObject({ 'application/json': ofField })
  }
  expect(find('delete', '/table/{tableId}/field/{fieldId}/plan').requestBody).toBeUndefined()
})

test('[CONTRACT-6] tells of an ETag, and of what is not sent again, where an answer has a version', () => {
  const etag = { ETag: { $ref: '#/components/headers/ETag' } }
  const ifNoneMatch = { $ref: '#/components/parameters/IfNoneMatch' }
  const record = find('get', '/table/{tableId}/record/{recordId}')
  expect(record.parameters).toContainEqual(ifNoneMatch)
  expect(record.responses['200']?.headers).toMatchObject(etag)
  expect(record.responses['304']?.headers).toMatchObject(etag)
  expect(find('post', '/space').responses['201']?.headers).toMatchObject(etag)
  for (const path of ['/table/{tableId}/record', '/space', '/base/{baseId}/verify']) {
    const { parameters, responses } = find('get', path)
    expect(parameters).not.toContainEqual(ifNoneMatch)
    expect(responses['304']).toBeUndefined()
    expect(responses['200']?.headers).not.toHaveProperty('ETag')
  }
})

test('[CONTRACT-6] says what is answered: the output or nothing, and errors', () => {
  expect(find('post', '/space').responses['201']?.content).toMatchObject({
    'application/json': { schema: { $ref: '#/components/schemas/SpaceName' } },
  })
  expect(document.components.schemas.SpaceName).toMatchObject({
    properties: { id: { type: 'string' } },
  })
  expect(find('delete', '/space/{spaceId}').responses['200']?.content).toBeUndefined()
  const statuses = Object.keys(find('post', '/space').responses)
  expect(statuses).toEqual(expect.arrayContaining(['400', '401', '403', '412', '415', '500']))
})

test('[CONTRACT-6] says of every operation that callers may be too many, and the service out of reach', () => {
  for (const { operationId, responses } of Object.values(paths).flatMap((item) =>
    Object.values(item),
  )) {
    const statuses = Object.keys(responses)
    expect([operationId, ...statuses]).toEqual(expect.arrayContaining(['429', '500', '503']))
  }
})

test('[CONTRACT-6] says where the level of a space may have no room, and that nobody pays for reading', () => {
  const statusesOf = (method: string, path: string) => Object.keys(find(method, path).responses)
  expect(statusesOf('post', '/table/{tableId}/record')).toContain('402')
  expect(statusesOf('get', '/table/{tableId}/record')).not.toContain('402')
  expect(statusesOf('delete', '/table/{tableId}/record')).not.toContain('402')
  expect(statusesOf('post', '/space')).not.toContain('402')
})

test('[CONTRACT-6] says that signing up may be closed, and signing in not', () => {
  const statusesOf = (path: string) => Object.keys(find('post', path).responses)
  expect(statusesOf('/auth/signup')).toContain('403')
  expect(statusesOf('/auth/send-signup-verification-code')).toContain('403')
  expect(statusesOf('/auth/signin')).not.toContain('403')
})

test('[CONTRACT-6] says which operations ask a service that may fail, and which may get a body too slowly', () => {
  const answering = (status: string) =>
    Object.values(paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId, responses }) =>
        responses[status] ? [operationId] : [],
      ),
    )
  expect(answering('424').toSorted()).toEqual([
    'accounts.addPassword',
    'accounts.changeEmail',
    'accounts.sendChangeEmailCode',
    'accounts.sendPasswordReset',
    'accounts.sendSignUpCode',
    'accounts.signUp',
    'collaborators.inviteToBase',
    'collaborators.inviteToSpace',
    'identities.finishSignIn',
    'identities.finishSignIn.GET',
    'identities.startLinking',
    'identities.startSignIn',
    'identities.startSignIn.GET',
  ])
  const withBody = operations.filter(
    ({ hasQueryInput, fileMember }) => !hasQueryInput || fileMember !== undefined,
  )
  for (const status of ['408', '413', '415']) {
    const ids = withBody.flatMap(idsOf).filter((id) => !id.endsWith('.GET'))
    expect(answering(status).toSorted()).toEqual(ids.toSorted())
  }
})

test('[CONTRACT-6] says which operations need no credential', () => {
  expect(find('post', '/auth/signup').security).toEqual([])
  expect(find('post', '/space').security).toBeUndefined()
  expect(document.security).toEqual([{ bearer: [] }, { session: [] }])
})

test('[CONTRACT-8] says of every operation what it is for, and shows it at work', () => {
  for (const operation of operations) {
    const { name, method, path, status, purpose, useCase, answersText, answersFile } = operation
    const mediaType = answersFile ? '*/*' : (answersText ?? 'application/json')
    const { description, responses, requestBody } = find(method.toLowerCase(), path)
    expect([name, purpose]).toEqual([name, expect.stringMatching(/^[A-Z].+\.$/)])
    expect(description).toContain(purpose)
    for (const one of Object.values(requestBody?.content ?? {}))
      expect(one).toHaveProperty('example')
    const isEmpty = useCase.output.safeParse(undefined).success
    const content = responses[status]?.content
    if (!isEmpty) expect([name, content]).toHaveProperty(['1', mediaType, 'example'])
  }
})

test('[CONTRACT-8] says whether a body must be sent', () => {
  expect(find('post', '/auth/signin').requestBody?.required).toBe(true)
  expect(find('patch', '/base/{baseId}').requestBody?.required).toBe(false)
})

test('[CONTRACT-6] has the version of the package', () => {
  expect(document.info.version).toBe(manifest.version)
})

test('[CONTRACT-6] says of a folder what folders need, and that what is in it stays', () => {
  const { patch, delete: remove } = document.paths['/base/{baseId}/node/folder/{folderId}'] ?? {}
  expect(patch?.description).toMatch(/ Needs `base\|update` on the base\.$/)
  expect(remove?.description).toBe(
    'Deletes a folder for good. What is in it stays, and takes the place of the folder. Needs `base|update` on the base.',
  )
})

test("[CONTRACT-6] says which rights an operation needs: all of them, by what a node is, or for one's own", () => {
  expect(find('put', '/table/{tableId}/field/{fieldId}/convert').description).toMatch(
    /Needs `field\|update` and `field\|read` on the table\.$/,
  )
  expect(find('put', '/base/{baseId}/node/{nodeId}').description).toContain(
    'depends on what the node stands for: `base|read` and `base|update` for a folder or dashboard, `table|read` and `table|update` for a table,',
  )
  expect(find('delete', '/space/{spaceId}/collaborators').description).toContain(
    "Needs `space|grant_role` on the space; for what is the caller's own, a role with `space|read` is enough",
  )
  expect(JSON.stringify(document)).not.toMatch(/Needs `[^`]+` or/)
})

test('[CONTRACT-19] says what every parameter of a query is, and every member of what has a name', () => {
  const parameters = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ operationId, parameters: all }) =>
      all.map((parameter) => ({ ...parameter, operationId })),
    ),
  )
  const ofQueries = parameters.filter((parameter) => parameter.in === 'query')
  expect(ofQueries.length).toBeGreaterThan(20)
  const undescribed = ofQueries.filter((parameter) => !('description' in parameter))
  expect(undescribed.map(({ operationId, name }) => `${operationId} ${name}`)).toEqual([])
  const missing = Object.entries(document.components.schemas).flatMap(([id, schema]) =>
    membersIn(schema as Schema).flatMap(([name, member]) =>
      member.description === undefined && member.$ref === undefined ? [`${id}.${name}`] : [],
    ),
  )
  expect(missing).toEqual([])
})

interface Schema {
  readonly description?: string
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly [part: string]: unknown
}

/** The members of a schema, of each of its kinds where it has several. */
function membersIn(schema: Schema): readonly (readonly [string, Schema])[] {
  const kinds = ['allOf', 'anyOf', 'oneOf'].flatMap((part) => (schema[part] ?? []) as Schema[])
  return [...Object.entries(schema.properties ?? {}), ...kinds.flatMap(membersIn)]
}
