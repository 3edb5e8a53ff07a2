import pg from 'pg'

/**
 * A workspace in a PostgreSQL database as a script that makes it again in an empty one: schemas, sequences,
 * tables, rows, then keys and indexes. It knows what the product makes, and nothing else of PostgreSQL.
 */
export async function dumpPostgres(connectionString: string): Promise<string> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query(`set local timezone = 'UTC'`)
    const statements: string[] = []
    for (const queries of [schemas, sequences, tables])
      statements.push(...(await all(client, queries)))
    for (const insert of await all(client, inserts)) statements.push(...(await all(client, insert)))
    for (const queries of [keys, indexes]) statements.push(...(await all(client, queries)))
    return `${statements.map((statement) => `${statement};`).join('\n')}\n`
  } finally {
    await client.end()
  }
}

async function all(client: pg.Client, query: string): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(query)
  return rows.map(({ statement }) => statement)
}

const own = `n.nspname not in ('pg_catalog', 'information_schema', 'public') and n.nspname !~ '^pg_'`
const relations = `pg_class c join pg_namespace n on n.oid = c.relnamespace and ${own}`
const named = `format('%I.%I', n.nspname, c.relname)`

const schemas = `select format('create schema %I', n.nspname) as statement
  from pg_namespace n where ${own} order by n.nspname`

const sequences = `select format('create sequence %s start %s', ${named},
    coalesce(pg_sequence_last_value(c.oid), 0) + 1) as statement
  from ${relations} where c.relkind = 'S' order by 1`

const tables = `select format('create table %s (%s)', ${named}, string_agg(
    format('%I %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
      case when a.attcollation <> t.typcollation
        then format(' collate %I', (select collname from pg_collation where oid = a.attcollation)) end,
      ' default ' || pg_get_expr(d.adbin, d.adrelid), case when a.attnotnull then ' not null' end),
    ', ' order by a.attnum)) as statement
  from ${relations}
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
  where c.relkind = 'r' group by n.nspname, c.relname order by 1`

/** For each table the query that makes its rows into statements. */
const inserts = `select format('select format(%L, %s) as statement from %s order by 1',
    format('insert into %s values (%s)', replace(${named}, '%', '%%'), string_agg('%L', ', ')),
    string_agg(format('%I', a.attname), ', ' order by a.attnum), ${named}) as statement
  from ${relations}
  join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
  where c.relkind = 'r' group by n.nspname, c.relname order by 1`

const keys = `select format('alter table %s add constraint %I %s', ${named}, k.conname,
    pg_get_constraintdef(k.oid)) as statement
  from ${relations} join pg_constraint k on k.conrelid = c.oid and k.contype <> 'n'
  order by k.contype = 'f', 1`

const indexes = `select pg_get_indexdef(i.indexrelid) as statement
  from ${relations} join pg_index i on i.indrelid = c.oid
  where not exists (select from pg_constraint k where k.conindid = i.indexrelid) order by 1`
