import type { CopyDialect } from '@gateleg/sql/core/dialect/table-dialect'
import { quote } from '@gateleg/sql/core/statements/quote'
import { type RawBuilder, sql } from 'kysely'
import { regclassOf } from './create-table.ts'

type Statements = RawBuilder<{ readonly statement: string }>

/** A table and its copy: how queries find them, and what statements call the copy. */
interface Pair {
  readonly table: RawBuilder<unknown>
  readonly copy: RawBuilder<unknown>
  readonly copyName: RawBuilder<unknown>
}

/** The query for the statements that give the copy of a table what operators set of that. */
export const copiedSettings: CopyDialect['settings'] = (baseId, from, to, suffix) => {
  const schema = quote(baseId)
  const pair: Pair = {
    table: regclassOf(baseId, from),
    copy: regclassOf(baseId, to),
    copyName: sql.lit(`${schema}.${quote(to)}`),
  }
  const indexes = indexesOf(pair, suffix)
  const parts = [
    ...[grants(pair), parameters(pair), ofColumns(pair), comments(pair)],
    ...[constraintComments(pair, suffix), replicaIdentity(pair, indexes)],
    ofIndexes(indexes, sql.lit(`${schema}.`)),
  ]
  return sql`${sql.join(parts, sql` union all `)}`
}

/** The columns of the table, as `pg_attribute`, that the copy has too. */
function columnsOf({ table, copy }: Pair): RawBuilder<unknown> {
  const kept = sql`select attname from pg_attribute where attrelid = ${copy} and not attisdropped`
  return sql`attrelid = ${table} and attnum > 0 and not attisdropped and attname in (${kept})`
}

/** The indexes of the table, each with the name of that of the copy, which ends with the suffix. */
function indexesOf({ table, copy }: Pair, suffix: string): RawBuilder<unknown> {
  const old = sql`pg_index as i join pg_class as c on c.oid = i.indexrelid`
  const name = sql`(c.relname || ${sql.lit(suffix)})::text`
  const copied = sql`exists (select from pg_index join pg_class on oid = indexrelid where indrelid = ${copy} and relname = ${name})`
  return sql`(select c.oid, c.reloptions, i.indisreplident, ${name} as name from ${old} where i.indrelid = ${table} and ${copied}) as indexes`
}

function grants(pair: Pair): Statements {
  const { table, copyName } = pair
  const isOther = sql`pg_class.oid = ${table} and grantee <> relowner`
  const some = sql`acl.privilege_type, acl.is_grantable, acl.grantee`
  const whole = sql`select null as column_name, ${some} from pg_class, aclexplode(relacl) as acl where ${isOther}`
  const single = sql`select attname, ${some} from pg_class join pg_attribute on attrelid = pg_class.oid, aclexplode(attacl) as acl where ${isOther} and ${columnsOf(pair)}`
  const what = sql`privilege_type || coalesce(' (' || quote_ident(column_name) || ')', '')`
  const who = sql`case when grantee = 0 then 'public' else quote_ident(pg_get_userbyid(grantee)) end`
  const how = sql`case when is_grantable then ' with grant option' else '' end`
  return sql`select 'grant ' || ${what} || ' on ' || ${copyName} || ' to ' || ${who} || ${how} as statement from (${whole} union all ${single}) as granted`
}

function parameters({ table, copyName }: Pair): Statements {
  return sql`select 'alter table ' || ${copyName} || ' set (' || array_to_string(reloptions, ', ') || ')' from pg_class where oid = ${table} and reloptions is not null`
}

/** How the planner is to look at columns. */
function ofColumns(pair: Pair): Statements {
  const column = sql`'alter table ' || ${pair.copyName} || ' alter column ' || quote_ident(attname)`
  const columns = columnsOf(pair)
  const targets = sql`select ${column} || ' set statistics ' || attstattarget from pg_attribute where ${columns} and attstattarget >= 0`
  return sql`${targets} union all select ${column} || ' set (' || array_to_string(attoptions, ', ') || ')' from pg_attribute where ${columns} and attoptions is not null`
}

/** Of the table and of columns. */
function comments(pair: Pair): Statements {
  const { table, copyName } = pair
  const said = sql`objoid = ${table} and classoid = 'pg_class'::regclass`
  const ofTable = sql`select 'comment on table ' || ${copyName} || ' is ' || quote_literal(description) from pg_description where ${said} and objsubid = 0`
  return sql`${ofTable} union all select 'comment on column ' || ${copyName} || '.' || quote_ident(attname) || ' is ' || quote_literal(description) from pg_description join pg_attribute on attnum = objsubid where ${said} and ${columnsOf(pair)}`
}

function constraintComments({ table, copy, copyName }: Pair, suffix: string): Statements {
  const name = sql`(said.conname || ${sql.lit(suffix)})`
  const copied = sql`select from pg_constraint as copied where copied.conrelid = ${copy} and copied.conname = ${name}`
  return sql`select 'comment on constraint ' || quote_ident(${name}) || ' on ' || ${copyName} || ' is ' || quote_literal(description) from pg_description join pg_constraint as said on said.oid = objoid where classoid = 'pg_constraint'::regclass and conrelid = ${table} and exists (${copied})`
}

/** What tells who follows the changes of the database which record was changed. */
function replicaIdentity({ table, copyName }: Pair, indexes: RawBuilder<unknown>): Statements {
  const set = sql`'alter table ' || ${copyName} || ' replica identity '`
  const whole = sql`select ${set} || case relreplident when 'f' then 'full' else 'nothing' end from pg_class where oid = ${table} and relreplident in ('f', 'n')`
  return sql`${whole} union all select ${set} || 'using index ' || quote_ident(name) from ${indexes} where indisreplident`
}

/** The parameters of indexes, and what is said of them. */
function ofIndexes(indexes: RawBuilder<unknown>, schema: RawBuilder<unknown>): Statements {
  const index = sql`'index ' || ${schema} || quote_ident(name)`
  const set = sql`select 'alter ' || ${index} || ' set (' || array_to_string(reloptions, ', ') || ')' from ${indexes} where reloptions is not null`
  return sql`${set} union all select 'comment on ' || ${index} || ' is ' || quote_literal(description) from ${indexes} join pg_description on objoid = indexes.oid and classoid = 'pg_class'::regclass and objsubid = 0`
}
