import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { createClient } from 'gateleg/client'
import { afterEach, expect, test } from 'vitest'
import { runways } from './airport-tables.ts'
import { type OwnServer, startOwnServer } from './own-server.ts'

let server: OwnServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

test('imports the runways as a file, and exports the same texts in the same order', async () => {
  server = await startOwnServer()
  const { url, token } = server
  const api = createClient({ baseUrl: `${url}/api`, token })
  const [space] = await api.spaces.listSpaces({})
  const { id: baseId } = await api.bases.createBase({ spaceId: space?.id ?? '' })
  const content = gunzipSync(await readFile(runways.file))
  const rows: string[][] = parse(content)
  const columns = rows[0]?.map(() => ({ type: 'longText' as const })) ?? []
  const { id: importId, tableId } = await api.imports.importTable({ baseId, content, columns })
  const status = () => api.imports.getImport({ baseId, importId })
  while ((await status()).state === 'running') {
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  const { state, rowsCreated, rowsLeftOut, issues } = await status()
  expect({ state, rowsCreated, rowsLeftOut, issues }).toEqual({
    state: 'done',
    rowsCreated: runways.records,
    rowsLeftOut: 0,
    issues: [],
  })
  let text = ''
  for await (const part of await api.exports.exportTable({ tableId, bom: false })) text += part
  const exported: string[][] = parse(text)
  expect(exported.length).toBe(rows.length)
  expect(exported.filter((row, index) => row.join('\n') !== rows[index]?.join('\n'))).toEqual([])

  // What is guessed of the columns shows the same numbers, if not all of them as they were written.
  const guessed = await api.imports.analyzeFile({ content: content.subarray(0, 200_000) })
  const [sheet] = Object.values(guessed.worksheets)
  const types = new Map(sheet?.columns.map(({ name, type }) => [name, type]))
  expect([types.get('length_ft'), types.get('airport_ident')]).toEqual(['number', 'singleLineText'])
}, 120_000)
