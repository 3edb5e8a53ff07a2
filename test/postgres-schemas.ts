import pg from 'pg'

/** Empties a metadata schema, if there is one, and drops the schemas of its bases. */
export async function emptySchema(client: pg.ClientBase, schema: string): Promise<void> {
  const tables = `
    for it in select tablename from pg_tables where schemaname = '${schema}' and tablename not like 'migration%' loop
      execute format('delete from %I.%I', '${schema}', it.tablename);
    end loop;`
  await client.query(inBlock(dropBaseSchemas(schema) + tables))
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
      await client.query(inBlock(dropBaseSchemas(name)))
      await client.query(`drop schema "${name}" cascade`)
    }
  } finally {
    await client.end()
  }
}

function dropBaseSchemas(schema: string): string {
  return `
    if to_regclass('${schema}.bases') is not null then
      for it in execute 'select id from ${schema}.bases' loop
        execute format('drop schema if exists %I cascade', it.id);
      end loop;
    end if;`
}

function inBlock(statements: string): string {
  return `do $$ declare it record; begin ${statements} end $$`
}
