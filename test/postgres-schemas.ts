import pg from 'pg'

/** Schemas that are dropped in one transaction: it locks each of their tables, and a server has room for so many locks. */
const basesAtOnce = 50

/** Empties a metadata schema, if there is one, and drops the schemas of its bases. */
export async function emptySchema(client: pg.ClientBase, schema: string): Promise<void> {
  await dropBaseSchemas(client, schema)
  const tables = `
    for it in select tablename from pg_tables where schemaname = '${schema}' and tablename not like 'migration%' loop
      execute format('delete from %I.%I', '${schema}', it.tablename);
    end loop;`
  await client.query(inBlock(tables))
}

/** Drops every metadata schema whose name begins so, and the schemas of their bases. */
export async function dropSchemas(connectionString: string, prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    const { rows } = await client.query(
      'select nspname as name from pg_namespace where starts_with(nspname, $1)',
      [prefix],
    )
    for (const { name } of rows) {
      await dropBaseSchemas(client, name)
      await client.query(`drop schema "${name}" cascade`)
    }
  } finally {
    await client.end()
  }
}

async function dropBaseSchemas(client: pg.ClientBase, schema: string): Promise<void> {
  const { rows: tables } = await client.query(`select to_regclass('${schema}.bases') as name`)
  if (tables[0]?.name === null) return
  const { rows } = await client.query(
    `select id from ${schema}.bases where id in (select nspname from pg_namespace)`,
  )
  for (let at = 0; at < rows.length; at += basesAtOnce) {
    const names = rows.slice(at, at + basesAtOnce).map(({ id }) => `"${id}"`)
    await client.query(`drop schema if exists ${names.join(', ')} cascade`)
  }
}

function inBlock(statements: string): string {
  return `do $$ declare it record; begin ${statements} end $$`
}
