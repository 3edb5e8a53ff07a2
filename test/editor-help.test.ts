import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fieldTypeNames } from '@gateleg/domain/fields/field-type-name'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LanguageServer } from './language-server.ts'

const root = join(import.meta.dirname, '..')
const beginning = `
  import type { Api } from '${join(root, 'packages/domain/src/api.ts')}'
  declare const api: Api
  const place = { tableId: 'tbl0' }
`

let folder: string
let server: LanguageServer

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'gateleg-'))
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: { types: [] },
    include: ['*.ts'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  server = new LanguageServer(folder)
  await server.open()
})
afterAll(() => {
  server.close()
  rmSync(folder, { recursive: true })
})

/** What the compiler says of the program: `program.ts(line,column): message`, a line for each error. */
function compile(text: string): Promise<readonly string[]> {
  writeFileSync(join(folder, 'program.ts'), text)
  const { promise, resolve } = Promise.withResolvers<readonly string[]>()
  execFile(join(root, 'node_modules/.bin/tsc'), ['-p', folder], (_, stdout) =>
    resolve(stdout.split('\n').filter((line) => /^\S*program\.ts\(/.test(line))),
  )
  return promise
}

test('[FIELD-220] the compiler names the member of a field that is misspelt, where it is', async () => {
  const misspelt: readonly (readonly [name: string, call: string])[] = [
    [
      'foreignTable',
      "createField({ ...place, type: 'link', options: { relationship: 'manyOne', foreignTable: 'x' } })",
    ],
    ['formating', "createField({ ...place, type: 'number', options: { formating: {} } })"],
    ['formating', "createField({ ...place, type: 'date', options: { formating: {} } })"],
    ['expresion', "createField({ ...place, type: 'formula', options: { expresion: '1' } })"],
    ['choice', "createField({ ...place, type: 'singleSelect', options: { choice: [] } })"],
    ['maximum', "createField({ ...place, type: 'rating', options: { maximum: 5 } })"],
    ['max', "createField({ ...place, type: 'attachment', options: { max: 5 } })"],
    [
      'precison',
      "createField({ ...place, type: 'number', options: { formatting: { precison: 2 } } })",
    ],
    ['nme', "createField({ ...place, type: 'number', nme: 'x' })"],
    [
      'lookupField',
      "createField({ ...place, type: 'number', isLookup: true, lookupOptions: { linkFieldId: 'a', foreignTableId: 'b', lookupField: 'c' } })",
    ],
    [
      'maximum',
      "convertField({ ...place, fieldId: 'fld0', type: 'rating', options: { maximum: 5 } })",
    ],
    ['maximum', "planCreation({ ...place, type: 'rating', options: { maximum: 5 } })"],
  ]
  const lines = misspelt.map(([, call]) => `api.fields.${call}`)
  const inTable =
    "api.tables.createTable({ baseId: 'bse0', fields: [{ type: 'rating', options: { maximum: 5 } }] })"
  const errors = await compile([...beginning.split('\n'), ...lines, inTable].join('\n'))
  const first = beginning.split('\n').length + 1
  const expected = [
    ...misspelt.map(([name], index) => [name, lines[index] ?? ''] as const),
    ['maximum', inTable] as const,
  ]
  expect(errors).toHaveLength(expected.length)
  for (const [index, [name, line]] of expected.entries()) {
    const column = line.search(new RegExp(`\\b${name}:`)) + 1
    expect(errors[index]).toContain(`program.ts(${first + index},${column})`)
    expect(errors[index]).toContain(`'${name}' does not exist in type`)
  }
})

test('[FIELD-220] an editor offers every type, and the options of the one that is given', async () => {
  const types = [...fieldTypeNames].toSorted()
  const expected: readonly (readonly [call: string, offers: readonly string[]])[] = [
    ["api.fields.createField({ ...place, type: '│' })", types],
    ["api.fields.createField({ ...place, type: '│', options: {} })", types],
    ["api.fields.createField({ ...place, type: '│', isLookup: true })", types],
    ["api.fields.convertField({ ...place, fieldId: 'fld0', type: '│' })", types],
    ["api.tables.createTable({ baseId: 'bse0', fields: [{ type: '│' }] })", types],
    [
      "api.fields.createField({ ...place, type: 'number', options: { │ } })",
      ['defaultValue?', 'formatting?', 'showAs?'],
    ],
    [
      "api.fields.createField({ ...place, type: 'link', options: { relationship: '│' } })",
      ['manyMany', 'manyOne', 'oneMany', 'oneOne'],
    ],
  ]
  const places = server.show('offers.ts', beginning + expected.map(([call]) => call).join('\n'))
  for (const [index, [, offers]] of expected.entries()) {
    expect(await server.offersAt(places[index] ?? {})).toEqual(offers)
  }
})

test('[ENGINE-18] an editor shows what an operation takes and answers', async () => {
  const calls = [
    'api.spaces.create│Space',
    'api.tables.get│Table',
    'api.fields.create│Field',
    'api.records.list│Records',
  ]
  const places = server.show('shown.ts', `${beginning}${calls.join('\n')}`)
  const [space, ...others] = await Promise.all(places.map((place) => server.shownAt(place)))
  expect(space?.replace(/\s+/g, ' ')).toContain(
    'createSpace: (input?: { name?: string | undefined; } | undefined, options?: CallOptions) => Promise<{ id: string; name: string; version: number; }>',
  )
  for (const shown of others)
    expect(shown).toMatch(/: \(input: \{[\s\S]*, options\?: CallOptions\) => Promise</)
})
