import { fieldTypeNames } from '@gateleg/domain/fields/field-type-name'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { operations } from '../operations.ts'
import { toOpenApi } from './openapi.ts'

interface Shown {
  readonly schema: object
  readonly example?: unknown
}

type Content = Readonly<Record<string, Shown>>

interface Described {
  readonly operationId: string
  readonly parameters: readonly (Partial<Shown> & {
    readonly name?: string
    readonly content?: Content
  })[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

const document = JSON.parse(JSON.stringify(toOpenApi(operations, { serverUrl: '/api' })))
const { components } = document
const described: readonly Described[] = Object.values(document.paths).flatMap((item) =>
  Object.values(item as Readonly<Record<string, Described>>),
)
// Patterns of formats are no part of the schemas: what a server takes is for the server to say.
const validator = new Ajv2020({ strict: false, validateFormats: false })
validator.addSchema({ components }, 'document')

/** What is wrong with the value by the schema, which may refer to the document's components. */
function faultsOf(schema: object, value: unknown): readonly string[] {
  const text = JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')
  const validate = validator.compile(JSON.parse(text))
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}

/** All that stands beside a schema of the operation, by where it stands. */
function examplesOf({ parameters, requestBody, responses }: Described): [string, Shown][] {
  const ofParameters = parameters.flatMap(({ name, schema, example, content }) => {
    const shown = schema ? { schema, example } : content?.['application/json']
    return name && shown?.example !== undefined ? [[name, shown] as [string, Shown]] : []
  })
  const bodies = [['body', requestBody] as const, ...Object.entries(responses)]
  const ofBodies = bodies.flatMap(([where, body]) => {
    const shown = body?.content?.['application/json']
    return shown?.example === undefined ? [] : [[where, shown] as [string, Shown]]
  })
  return [...ofParameters, ...ofBodies]
}

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` })

describe('the schemas of the documentation', () => {
  test('[CONTRACT-18] fit all examples', () => {
    const faults = described.flatMap((operation) =>
      examplesOf(operation).flatMap(([where, { schema, example }]) =>
        faultsOf(schema, example).map((fault) => `${operation.operationId} ${where}: ${fault}`),
      ),
    )
    expect(faults).toEqual([])
    expect(described.flatMap(examplesOf).length).toBeGreaterThan(operations.length)
  })

  test('[CONTRACT-18] fit the example that each error has, and say nothing of sizes without sense', () => {
    const responses: [string, { content: Content }][] = Object.entries(components.responses)
    expect(responses.length).toBeGreaterThan(10)
    for (const [status, { content }] of responses) {
      const { schema, example } = content['application/json'] as Shown
      expect([status, example]).toMatchObject([status, { status: Number(status) }])
      expect([status, ...faultsOf(schema, example)]).toEqual([status])
    }
    expect(components.schemas.Error.properties.status).toMatchObject({ minimum: 400, maximum: 599 })
    expect(JSON.stringify(document)).not.toContain(String(Number.MAX_SAFE_INTEGER))
  })

  test('[CONTRACT-17] have names, to which operations refer', () => {
    const names = ['Field', 'Record', 'View', 'Space', 'Base', 'Table', 'Node', 'User', 'Error']
    const more = ['Collaborator', 'Invitation', 'Folder', 'AccessToken', 'FieldInput', 'FieldPlan']
    expect(Object.keys(components.schemas)).toEqual(expect.arrayContaining([...names, ...more]))
    const answer = (id: string, status: number) =>
      described.find(({ operationId }) => operationId === id)?.responses[status]?.content?.[
        'application/json'
      ]?.schema
    expect(answer('fields.createField', 201)).toEqual(refTo('Field'))
    expect(answer('fields.listFields', 200)).toEqual({ type: 'array', items: refTo('Field') })
    expect(answer('tables.createTable', 201)).toMatchObject({
      properties: { fields: { items: refTo('Field') }, records: { items: refTo('Record') } },
    })
  })

  test('[CONTRACT-17] tell the options of a field by its type', () => {
    for (const [name, suffix] of [
      ['Field', 'Field'],
      ['OwnFieldInput', 'FieldInput'],
      ['OwnFieldConversionInput', 'FieldConversionInput'],
    ] as const) {
      const { oneOf, discriminator } = components.schemas[name]
      const kinds = fieldTypeNames.map((type) =>
        refTo(`${type.charAt(0).toUpperCase()}${type.slice(1)}${suffix}`),
      )
      expect(oneOf).toEqual(kinds)
      expect(discriminator.propertyName).toBe('type')
      const mapping = fieldTypeNames.map((type, index) => [type, kinds[index]?.$ref])
      expect(discriminator.mapping).toEqual(Object.fromEntries(mapping))
    }
  })

  const lookupOptions = {
    foreignTableId: 'tblxK3vQ8mZ1pT6wR01',
    linkFieldId: 'fldxK3vQ8mZ1pT6wR01',
    lookupFieldId: 'fldxK3vQ8mZ1pT6wR02',
  }
  test.each<[what: string, field: object, isTaken: boolean]>([
    ['a field without options', { type: 'number' }, true],
    ['options of its type', { type: 'singleSelect', options: { choices: [{ name: 'x' }] } }, true],
    ['options of another', { type: 'checkbox', options: { choices: [{ name: 'x' }] } }, false],
    ['no expression', { type: 'formula' }, false],
    ['an expression', { type: 'formula', options: { expression: '1' } }, true],
    ['no type', { name: 'x' }, false],
    ['a type that there is not', { type: 'numbr' }, false],
    ['a rollup of nothing', { type: 'rollup' }, false],
    ['a rollup', { type: 'rollup', lookupOptions }, true],
    ['a lookup of nothing', { type: 'number', isLookup: true }, false],
    ['a lookup', { type: 'number', isLookup: true, lookupOptions }, true],
    [
      'a default of a lookup',
      { type: 'number', isLookup: true, lookupOptions, options: { defaultValue: 1 } },
      false,
    ],
  ])('[CONTRACT-17] say of %s whether it is taken', (_what, field, isTaken) => {
    expect(faultsOf(refTo('FieldInput'), field).length === 0).toBe(isTaken)
  })

  test('[CONTRACT-17] let a conversion leave the options out', () => {
    expect(faultsOf(refTo('FieldConversionInput'), { type: 'formula' })).toEqual([])
    const options = { choices: [] }
    expect(faultsOf(refTo('FieldConversionInput'), { type: 'rating', options })).not.toEqual([])
  })

  test('[HTTP-390] have patterns that mean the same where programs read them', () => {
    // A document has the text of a pattern alone: what its flags change of it is lost.
    const flagged = new Set<string>()
    const override = ({ zodSchema }: { zodSchema: z.core.$ZodTypes }) => {
      for (const check of zodSchema._zod.def.checks ?? []) {
        const { pattern } = check._zod.def as { pattern?: RegExp }
        if (pattern && /[imsv]/.test(pattern.flags)) flagged.add(`${pattern}`)
      }
    }
    for (const { useCase } of operations) {
      for (const [schema, io] of [
        [useCase.input, 'input'],
        [useCase.output, 'output'],
      ] as const) {
        z.toJSONSchema(schema, { io, unrepresentable: 'any', override })
      }
    }
    expect([...flagged]).toEqual([])
  })

  test.each(['abcdefg1', 'ABCDEFG1'])(
    '[HTTP-390] take the password %s, as the service does',
    (password) => {
      const body = described.find(({ operationId }) => operationId === 'accounts.signUp')
      const { schema } = body?.requestBody?.content['application/json'] ?? { schema: {} }
      expect(faultsOf(schema, { email: 'ada@example.com', password })).toEqual([])
    },
  )
})
