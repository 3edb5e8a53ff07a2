import { join } from 'node:path'
import { runProgram } from '../server-process.ts'
import { newSecret } from './scene.ts'
import type { SecretSearch } from './secret-search.ts'

type Variables = Readonly<Record<string, string>>

/** What a command printed. */
export interface Printed {
  readonly command: string
  readonly code: number | null
  readonly text: string
}

/** Programs that run at a time. */
const atOnce = 3

async function runAll(runs: readonly (readonly [string, Variables])[]): Promise<Printed[]> {
  const printed: Printed[] = []
  const waiting = [...runs.entries()]
  const runNext = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [index, [command, variables]] = next
      const { code, stdout, stderr } = await runProgram(command.split(' '), variables)
      printed[index] = { command, code, text: `${stdout}\n${stderr}` }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, runNext))
  return printed
}

/** Runs commands beside a server: those that copy its data, and those that speak with it. */
export function printBeside(
  variables: Variables,
  search: SecretSearch,
  { folder, url, token, baseId, tableId }: Readonly<Record<string, string>>,
): Promise<Printed[]> {
  const place = (name: string) => join(folder ?? '', name)
  const speaking = { GATELEG_URL: url ?? '', GATELEG_TOKEN: token ?? '' }
  const unknown = search.add('token that is unknown', newSecret().replace(/\W/g, ''))
  return runAll([
    ['--help', variables],
    ['jobs', variables],
    [`backup ${place('backup.db')}`, variables],
    [`export ${tableId} --out ${place('table.csv')}`, speaking],
    [`export-base ${baseId} ${place('base.ndjson')} --with-history --with-trash`, speaking],
    [`export ${tableId}`, { ...speaking, GATELEG_TOKEN: unknown }],
  ])
}

/** Runs commands that fail, after the server has ended, with each setting wrong that is secret or leads to something secret. */
export async function printAfter(variables: Variables, search: SecretSearch): Promise<Printed[]> {
  const secret = (name: string) => search.add(name, newSecret())
  const own = { ...variables, PORT: '0' }
  const { DATABASE_URL } = variables
  const GATELEG_TOKEN = search.add('token for no server', newSecret().replace(/\W/g, ''))
  const password = encodeURIComponent(secret('password of the database that is wrong'))
  const stolen = DATABASE_URL?.replace(/:[^:@]*@/, `:${password}@`) ?? ''
  const url = (name: string) =>
    `postgres://library:${encodeURIComponent(secret(name))}@127.0.0.1:1/none`
  const inUrl = (name: string) => `http://library:${encodeURIComponent(secret(name))}@127.0.0.1:1`
  const wrong = Object.fromEntries(
    [
      ...['PORT', 'DATABASE_URL', 'DATABASE_POOL_SIZE', 'PUBLIC_URL', 'LOG_LEVEL', 'S3_ENDPOINT'],
      ...[
        'SMTP_PORT',
        'SMTP_SECURE',
        'TURNSTILE_VERIFY_URL',
        'FETCH_ALLOW_CIDRS',
        'TRUSTED_PROXIES',
      ],
      ...[
        'GATELEG_KEYS',
        'SMTP_PASWORD',
        'PLUGIN_FRAME_ORIGINS',
        'TRUSTED_LOGIN_CLIENTS',
        'S3_PREFIX',
        'SIGNUP_CLOSED',
      ],
    ].map((name) => [name, secret(`${name} that is wrong`)]),
  )
  const short = search.add('instance key that is too short', newSecret().slice(0, 20))
  const other = secret('instance key of other data')
  const failed = await runAll([
    ['serve', { ...variables, ...wrong }],
    ['serve', { ...variables, GATELEG_KEY: short, GATELEG_NEW_KEY: short }],
    ['serve', { ...own, GATELEG_KEY: other }],
    ['serve', { ...own, DATABASE_URL: url('password of a database that is out of reach') }],
    ['serve', { ...own, S3_SECRET_ACCESS_KEY: secret('key that the store refuses') }],
    [`move --to ${url('password of a target that is out of reach')}`, variables],
    [`moove --to ${url('password behind a misspelt word')}`, variables],
    [`rotate-key ${url('password behind a command')}`, variables],
    ['serve', { ...own, S3_ENDPOINT: inUrl('password in the address of the store') }],
    ['citus', { ...own, DATABASE_URL: url('password of a database for its script') }],
    ['restore none.db', variables],
    ['export tbl1', { GATELEG_URL: inUrl('password in the address of a server'), GATELEG_TOKEN }],
    ['export tbl1', { GATELEG_URL: 'http://127.0.0.1:1', GATELEG_TOKEN }],
    ...(DATABASE_URL === undefined ? [] : [['serve', { ...own, DATABASE_URL: stolen }] as const]),
  ])
  const GATELEG_NEW_KEY = secret('instance key that is new')
  const changed = await runAll([['rotate-key', { ...variables, GATELEG_NEW_KEY }]])
  return [...failed, ...changed]
}
