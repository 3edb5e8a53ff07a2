import { parseArgs } from 'node:util'
import express from 'express'
import { Pool } from 'pg'
import { readRecords } from './read-records.ts'
import type { Column, SentRecord, Statement } from './rows.ts'

// As `server.ts`, over PostgreSQL by pg: `node handwritten/postgres-server.ts --database postgres://…`.

const { values } = parseArgs({ options: { database: { type: 'string' } } })

const pool = new Pool({ connectionString: values.database, max: 10 })
const typeNames = { text: 'text', real: 'double precision', integer: 'bigint' } as const

interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly insert: string
  readonly find: string
  readonly update: string
}

const tables = new Map<string, Table>()

const app = express()
app.use(express.json({ limit: '50mb' }))

app.post('/table', async (request, response) => {
  const columns: readonly Column[] = request.body.columns
  const name = `t${tables.size + 1}`
  const definitions = columns.map((column) => `"${column.name}" ${typeNames[column.type]}`)
  const names = columns.map((column) => `"${column.name}"`).join(', ')
  const lists = columns.map((column, index) => `$${index + 1}::${typeNames[column.type]}[]`)
  const settings = columns.map((column, index) => `"${column.name}" = $${index + 1}`)
  await pool.query(`create table ${name} (_id bigserial primary key, ${definitions.join(', ')})`)
  tables.set(name, {
    name,
    columns,
    insert: `insert into ${name} (${names}) select * from unnest(${lists.join(', ')}) returning _id`,
    find: `select * from ${name} where _id = $1`,
    update: `update ${name} set ${settings.join(', ')} where _id = $${columns.length + 1}`,
  })
  response.status(201).json({ id: name })
})

app.post('/table/:table/record', async (request, response) => {
  const table = tables.get(request.params.table)
  if (!table) return response.sendStatus(404)
  return response.status(201).json({ ids: await insert(table, request.body.records) })
})

app.post('/table/:table/import', async (request, response) => {
  const table = tables.get(request.params.table)
  if (!table) return response.sendStatus(404)
  for await (const records of readRecords(request)) await insert(table, records)
  return response.sendStatus(201)
})

app.patch('/table/:table/record/:id', async (request, response) => {
  const table = tables.get(request.params.table)
  if (!table) return response.sendStatus(404)
  const { fields }: SentRecord = request.body
  const values = table.columns.map(({ name }) => toValue(fields[name]))
  const { rowCount } = await pool.query({
    name: `update ${table.name}`,
    text: table.update,
    values: [...values, request.params.id],
  })
  return response.sendStatus(rowCount ? 200 : 404)
})

app.get('/table/:table/record/:id', async (request, response) => {
  const { table: name, id } = request.params
  const table = tables.get(name)
  const text = table?.find ?? ''
  const row = table && (await pool.query({ name: text, text, values: [id] })).rows[0]
  if (!row) return response.sendStatus(404)
  return response.json(row)
})

app.post('/transaction', async (request, response) => {
  const statements: readonly Statement[] = request.body.statements
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const { sql, values = [] } of statements) await client.query(sql, [...values])
    await client.query('commit')
    client.release()
  } catch (error) {
    client.release(true)
    throw error
  }
  response.sendStatus(200)
})

app.post('/query', async (request, response) => {
  const { sql, values = [] }: Statement = request.body
  response.json((await pool.query(sql, [...values])).rows)
})

async function insert(table: Table, records: readonly SentRecord[]): Promise<number[]> {
  const lists = table.columns.map(({ name }) => records.map(({ fields }) => toValue(fields[name])))
  const { rows } = await pool.query({
    name: `insert ${table.name}`,
    text: table.insert,
    values: lists,
  })
  return rows.map(({ _id }) => Number(_id))
}

function toValue(value: unknown): unknown {
  if (value === undefined) return null
  return typeof value === 'boolean' ? Number(value) : value
}

const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  console.log(`http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`)
})

process.on('SIGTERM', () => process.exit(0))
