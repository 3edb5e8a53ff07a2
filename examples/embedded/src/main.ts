import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEngine, sqlite } from 'gateleg'
import { planets } from './planets.ts'

// A program with a workspace of its own: `npx --yes pnpm@12 exec node examples/embedded/src/main.ts [file]`,
// which takes the Node that the repository brings.
// It builds a base in a new file, closes it, opens it again and reads the base back.

const file = process.argv[2] ?? join(mkdtempSync(join(tmpdir(), 'gateleg-')), 'planets.db')

const { userId, tableId } = await build()
await readBack()
console.log(`The workspace is in ${file}`)

/** Signs somebody up and builds a base as them, with one table. */
async function build() {
  const engine = await openEngine({ storage: sqlite({ file }) })
  const ada = await engine.public.accounts.signUp({
    email: 'ada@example.com',
    password: 'six inner planets 1',
    defaultSpaceName: 'Observatory',
  })
  console.log(`Signed up ${ada.name}`)

  // From here on, all calls are made as Ada: with her rights, and under her name.
  const api = engine.as({ userId: ada.id })
  const [space] = await api.spaces.listSpaces({})
  if (!space) throw new Error('Who signs up has a space')
  const base = await api.bases.createBase({ spaceId: space.id, name: 'Solar system' })
  const table = await api.tables.createTable({ baseId: base.id, ...planets })
  console.log(`Created ${table.name} with ${table.records.length} records in ${space.name}`)

  const rings = await api.fields.createField({ tableId: table.id, type: 'checkbox', name: 'Rings' })
  const ringed = table.records.filter(({ fields }) => fields.Kind !== 'rocky')
  await api.records.updateRecords({
    tableId: table.id,
    records: ringed.map(({ id }) => ({ id, fields: { [rings.name]: true } })),
  })
  await engine.close()
  return { userId: ada.id, tableId: table.id }
}

/** Prints what the file holds. */
async function readBack() {
  const engine = await openEngine({ storage: sqlite({ file }) })
  const api = engine.as({ userId })
  const fields = await api.fields.listFields({ tableId })
  console.log(fields.map(({ name }) => name).join(' | '))
  const { records } = await api.records.listRecords({ tableId, cellFormat: 'text' })
  for (const record of records) {
    console.log(fields.map(({ name }) => record.fields[name] ?? '').join(' | '))
  }
  await engine.close()
}
