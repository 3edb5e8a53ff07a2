import type { SqlConnection } from '@gateleg/sql/core/connection'

/** What is in the way of a distributed database. */
export interface Obstacle {
  /** The rule of docs/scaling.md that it breaks. */
  readonly rule: string
  /** What is wrong and where, as a sentence. */
  readonly what: string
}

/** Bytes of a name, of which a distributed database needs the rest for its own suffixes. */
const nameBytesMax = 50

/** The form of the names that PostgreSQL makes up for constraints, indexes and sequences. */
const unnamed = '_(pkey|key|fkey|check|excl|idx|seq)[0-9]*$'

/** Queries for sentences: `ours` are the schemas, `tables` the tables in them. */
const queries: readonly (readonly [rule: string, query: string])[] = [
  [
    'R2',
    `select format('The foreign key %I of %s leads out of its schema, to %s.', c.conname, c.conrelid::regclass, c.confrelid::regclass)
       from pg_constraint c
       join pg_class here on here.oid = c.conrelid
       join pg_class there on there.oid = c.confrelid
      where c.contype = 'f' and here.relnamespace <> there.relnamespace
        and (here.relnamespace in (select oid from ours) or there.relnamespace in (select oid from ours))`,
  ],
  [
    'R2',
    `select format('The table %s has the trigger %I.', t.tgrelid::regclass, t.tgname)
       from pg_trigger t where not t.tgisinternal and t.tgrelid in (select oid from tables)`,
  ],
  [
    'R2',
    `select format('The view %s joins several schemas.', v.oid::regclass)
       from pg_class v
       join pg_rewrite r on r.ev_class = v.oid
       join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid
                       and d.refclassid = 'pg_class'::regclass and d.refobjid <> v.oid
       join pg_class used on used.oid = d.refobjid
      cross join lateral (values (v.relnamespace), (used.relnamespace)) as named(schema)
      where v.relkind in ('v', 'm') and named.schema in (select oid from ours)
      group by v.oid having count(distinct named.schema) > 1`,
  ],
  [
    'R4',
    `select format('The table %s has no primary key.', t.oid::regclass) from tables t
      where not exists (select from pg_constraint c where c.conrelid = t.oid and c.contype = 'p')`,
  ],
  [
    'R5',
    `select format('The column %I of %s is an identity.', a.attname, a.attrelid::regclass)
       from pg_attribute a where a.attidentity <> '' and a.attrelid in (select oid from tables)`,
  ],
  [
    'R5',
    `select format('The sequence %s is owned by a column of %s.', d.objid::regclass, d.refobjid::regclass)
       from pg_depend d
       join pg_class s on s.oid = d.objid and s.relkind = 'S'
      where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.deptype = 'a'
        and (s.relnamespace in (select oid from ours) or d.refobjid in (select oid from tables))`,
  ],
  [
    'R6',
    `select case when octet_length(n.name) > ${nameBytesMax}
                 then format('The name %I in %s has more than ${nameBytesMax} bytes.', n.name, n.schema)
                 else format('%I in %s has a name that PostgreSQL made up.', n.name, n.schema) end
       from (select conname, connamespace::regnamespace from pg_constraint
              where contype <> 'n' and conrelid in (select oid from tables)
             union
             select relname, relnamespace::regnamespace from pg_class
              where relkind in ('i', 'I', 'S') and relnamespace in (select oid from ours)
            ) as n(name, schema)
      where octet_length(n.name) > ${nameBytesMax} or n.name ~ '${unnamed}'`,
  ],
]

/**
 * What keeps the schemas from a distributed database, of the rules R2, R4, R5 and R6, in the order of the
 * rules. What the body of a function names can't be found out here.
 */
export async function findObstacles(
  connection: Pick<SqlConnection, 'rows'>,
  schemas: readonly string[],
): Promise<readonly Obstacle[]> {
  const parts = queries.map(
    ([rule, query]) => `(select '${rule}', * from (${query}) as found(what))`,
  )
  const rows = await connection.rows(
    `with ours as (select oid from pg_namespace where nspname = any($1)),
          tables as (select oid from pg_class
                      where relkind in ('r', 'p') and relnamespace in (select oid from ours))
     ${parts.join(' union all ')} order by 1, 2`,
    [schemas],
  )
  return rows.map(([rule, what]) => ({ rule: String(rule), what: String(what) }))
}
