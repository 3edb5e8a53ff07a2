import type pg from 'pg'

/** The names of all tables, indexes and sequences in the schema of a base, in their order. */
export async function relationsOf(client: pg.Client, baseId: string): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace =
      (select oid from pg_namespace where nspname = $1) order by relname collate "C"`,
    [baseId],
  )
  return rows.map(({ name }) => name)
}
