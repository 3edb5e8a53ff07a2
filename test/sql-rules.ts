/**
 * The rules for SQL on a PostgreSQL database that may become a distributed one, as patterns of what they
 * forbid. The numbers are those of docs/scaling.md.
 */

/** Functions that answer something else each time, or depend on the session. */
const volatile =
  /\b(?:now|clock_timestamp|statement_timestamp|transaction_timestamp|timeofday|random|gen_random_uuid|uuidv4|uuidv7|nextval|currval|lastval|setval)\s*\(|\b(?:current_timestamp|current_date|current_time|localtimestamp|localtime)\b/

/** Functions and casts whose answer depends on settings of the session, of a column. */
const stable =
  /\b(?:concat|concat_ws|format|to_char|to_date|to_timestamp|to_json|to_jsonb|row_to_json|json_build_object|jsonb_build_object|json_build_array|jsonb_build_array|array_to_string|date_trunc|age|convert_to|convert_from)\s*\(|\binterval\b/

/** A cast of anything but a value that is bound. */
const castOfColumn =
  /(?<!\$\d+)\s*::\s*(?:text|date|time|timestamp|timestamptz)\b(?!\[)|\bcast\s*\((?!\s*\$\d)[^()]*\bas\s+(?:text|date|time|timestamp|timestamptz)\b/

interface SqlRule {
  readonly rule: string
  /** What is wrong with the statement, in lower case and without the texts of literals; undefined if nothing. */
  readonly find: (sql: string) => string | undefined
}

const rules: readonly SqlRule[] = [
  forbid('R2', /\breferences\b/, 'a foreign key'),
  forbid(
    'R2',
    /\bcreate\s+(?:or\s+replace\s+)?(?:trigger|view|function|procedure|rule)\b/,
    'code or a view',
  ),
  forbid(
    'R5',
    /\bowned\s+by\b|\bas\s+identity\b|\b(?:small|big)?serial\b/,
    'a number that a column owns',
  ),
  forbid(
    'R6',
    /\badd\s+column\b.*\b(?:constraint|check|unique|primary\s+key|default\s+nextval|generated)\b/,
    'a constraint in ADD COLUMN',
  ),
  {
    rule: 'R8',
    find: (sql) => {
      const changing = changingPart(sql)
      if (volatile.test(changing)) return 'a volatile function where rows are changed'
      if (stable.test(changing)) return 'a stable function where rows are changed'
      return castOfColumn.test(changing) ? 'a stable cast where rows are changed' : undefined
    },
  },
  forbid('R8', /\bmerge\s+into\b/, 'MERGE'),
  {
    rule: 'R9',
    find: (sql) => {
      const [, target, insert] = /\binsert\s+into\s+(\S+)\s*(.*)$/.exec(sql) ?? []
      if (target === undefined || insert === undefined) return undefined
      if (!insert.startsWith('(')) return 'an INSERT without a list of columns'
      if (/\bvalues\b.*\(\s*select\b/.test(insert)) return 'a query among VALUES'
      const query = /^\([^)]*\)\s*\(?\s*(?:select|with)\b/.test(insert)
      if (query && volatile.test(insert)) return 'a volatile function in INSERT ... SELECT'
      const bulk = query && /\b(?:unnest|generate_series|jsonb?_to_recordset)\s*\(/.test(insert)
      const isAnswered = /\breturning\b|\bon\s+conflict\b/.test(insert)
      const isChecked = bulk || (query && target.startsWith('"bse'))
      return isChecked && !isAnswered
        ? 'INSERT ... SELECT without RETURNING or ON CONFLICT'
        : undefined
    },
  },
  forbid('R10', /^set\s+(?!local\s+citus\.)/, 'a setting of the session'),
  {
    rule: 'R11',
    find: (sql) => {
      const bases = new Set(sql.match(/"bse[^"]*"(?=\.)/g))
      if (bases.size < 2 || /\bunion\s+all\b|\bas\s+materialized\b/.test(sql)) return undefined
      return 'two bases in one statement'
    },
  },
  forbid(
    'R12',
    /^(?=.*\b(?:pg_notify|pg_(?:try_)?advisory\w*|setval)\s*\()(?=.*\b(?:from|into|update|join|using)\b)/,
    'a lock, a notice or setval beside a table',
  ),
  forbid('R14', /\bdeferrable\b|\bserializable\b/, 'a check at the commit'),
  forbid('R15', /\bcreate\s+schema\b.*\bcreate\s+(?:table|sequence)\b/, 'a table in CREATE SCHEMA'),
]

function forbid(rule: string, pattern: RegExp, what: string): SqlRule {
  return { rule, find: (sql) => (pattern.test(sql) ? what : undefined) }
}

/** The part of a statement in which only immutable expressions may stand. */
function changingPart(sql: string): string {
  if (/^(?:with\b.*\)\s*)?(?:update|delete)\b/.test(sql)) return sql
  return /\b(?:on\s+conflict|returning)\b.*$/.exec(sql)?.[0] ?? ''
}

/** The rules that the statement breaks, or one of those that it consists of, each with what is wrong. */
export function brokenRules(statement: string): readonly string[] {
  const all = statement
    .replaceAll(/'(?:[^']|'')*'/g, "''")
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .split(/ ?; ?/)
  return all.flatMap((sql) =>
    rules.flatMap(({ rule, find }) => {
      const wrong = find(sql.trim())
      return wrong === undefined ? [] : [`${rule}: ${wrong}`]
    }),
  )
}

const checked = new Set<string>()

/** Fails the test that sends a statement which breaks a rule. */
export function requireRules(statement: string): void {
  if (checked.has(statement)) return
  const broken = brokenRules(statement)
  if (broken.length > 0) throw new Error(`${broken.join('; ')} in: ${statement}`)
  checked.add(statement)
}
