import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import express from 'express'
import { GroupCommit } from './group-commit.ts'
import { readRecords } from './read-records.ts'
import { Rows, type SentRecord, type Statement } from './rows.ts'

// What somebody would write by hand who needs a table over HTTP and nothing else: Express and
// better-sqlite3, without accounts, rights, checks of values, versions or events.
// `node handwritten/server.ts --file x.db [--group] [--readonly]`; with `--group`, requests share commits.

const { values } = parseArgs({
  options: {
    file: { type: 'string' },
    group: { type: 'boolean' },
    readonly: { type: 'boolean', default: false },
  },
})

const database = new Database(values.file ?? '', { readonly: values.readonly })
if (!values.readonly) {
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = FULL')
}

const tables = new Map<string, Rows>()
const groupCommit = values.group ? new GroupCommit(database) : undefined

const app = express()
app.use(express.json({ limit: '50mb' }))

app.post('/table', (request, response) => {
  const id = `t${tables.size + 1}`
  tables.set(id, new Rows(database, id, request.body.columns))
  response.status(201).json({ id })
})

app.post('/table/:table/record', async (request, response) => {
  const rows = tables.get(request.params.table)
  if (!rows) return response.sendStatus(404)
  const records: SentRecord[] = request.body.records
  const ids = groupCommit
    ? await groupCommit.run(() => rows.insert(records))
    : rows.insertInTransaction(records)
  return response.status(201).json({ ids })
})

app.get('/table/:table/record/:id', (request, response) => {
  const row = tables.get(request.params.table)?.find(Number(request.params.id))
  if (!row) return response.sendStatus(404)
  return response.json(row)
})

app.patch('/table/:table/record/:id', async (request, response) => {
  const rows = tables.get(request.params.table)
  const update = () => rows?.update(Number(request.params.id), request.body)
  const isThere = groupCommit ? await groupCommit.run(update) : update()
  return response.sendStatus(isThere ? 200 : 404)
})

app.post('/table/:table/import', async (request, response) => {
  const rows = tables.get(request.params.table)
  if (!rows) return response.sendStatus(404)
  for await (const records of readRecords(request)) rows.insertInTransaction(records)
  return response.sendStatus(201)
})

app.post('/transaction', (request, response) => {
  const statements: readonly Statement[] = request.body.statements
  const runAll = database.transaction(() => {
    // A `$1` is a parameter called 1 here.
    for (const { sql, values = [] } of statements) {
      database.prepare(sql).run(Object.fromEntries(values.map((value, i) => [i + 1, value])))
    }
  })
  runAll()
  response.sendStatus(200)
})

app.post('/query', (request, response) => {
  const { sql, values = [] }: Statement = request.body
  const bound = Object.fromEntries(values.map((value, i) => [i + 1, value]))
  response.json(database.prepare(sql).all(bound))
})

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
})

process.on('SIGTERM', () => process.exit(0))
