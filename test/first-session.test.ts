import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { createHttpApp, listen, openEngine, sqlite } from 'gateleg'
import { expect, test } from 'vitest'

interface Step {
  readonly command: string
  /** What is printed, with `…` for what differs from one session to another. */
  readonly prints: string
}

const run = promisify(execFile)

/** Nothing but Node is needed for the tests: where there is no `curl`, nobody types the session either. */
const hasCurl = spawnSync('curl', ['--version']).status === 0

test.runIf(hasCurl)('[SERVER-170] the first session of the README goes as it says', async () => {
  await using engine = await openEngine({ storage: sqlite({ file: ':memory:' }) })
  const server = await listen({ app: createHttpApp(engine), host: '127.0.0.1', port: 0 })
  const env = { ...process.env, TOKEN: '' }
  const ids = new Map<string, string>()
  for (const { command, prints } of stepsOf('README.md')) {
    if (command.startsWith('TOKEN=')) continue
    const typed = command
      .replaceAll('http://127.0.0.1:3000', server.url)
      .replace(/\b([a-z]{3})…/g, (_, prefix: string) => ids.get(prefix) ?? '')
    const { stdout } = await run('sh', ['-c', typed], { env, timeout: 30_000 })
    expect(stdout).toMatch(new RegExp(`^${prints.split('…').map(RegExp.escape).join('.*')}$`))
    const { accessToken } = JSON.parse(stdout)
    if (accessToken) env.TOKEN = accessToken
    for (const [id, prefix = ''] of stdout.matchAll(/\b([a-z]{3})[0-9a-zA-Z]{16}\b/g)) {
      if (!ids.has(prefix)) ids.set(prefix, id)
    }
  }
  expect([...ids.keys()]).toEqual(expect.arrayContaining(['usr', 'spc', 'bse', 'tbl', 'rec']))
  await server.close(1_000)
})

/** The commands of the first session on a page, each with what it prints. */
function stepsOf(page: string): readonly Step[] {
  const [, session = ''] = /```console\n(.*?)\n```/s.exec(readFileSync(page, 'utf8')) ?? []
  return session
    .split(/^\$ /m)
    .slice(1)
    .map((step) => {
      const lines = step.trimEnd().split('\n')
      const first = lines.findIndex((line) => /^[[{]/.test(line))
      const command = first === -1 ? lines : lines.slice(0, first)
      return { command: command.join('\n'), prints: lines.slice(command.length).join('\n') }
    })
}
