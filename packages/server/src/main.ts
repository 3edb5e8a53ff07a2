#!/usr/bin/env node
import module from 'node:module'
import { join } from 'node:path'
import { refuseOldNode } from './node-version.ts'

const refusal = refuseOldNode(process.versions.node)
if (refusal !== undefined) stop(refusal)

// The next start takes half the time. Where the directory can't be written, nothing is lost.
module.enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/gateleg'))

// Loaded now: an old Node could fail to load them before it is told why.
const { ConfigurationError, readConfiguration } = await import('./configuration.ts')

const commands: Readonly<Record<string, () => Promise<void>>> = {
  serve: runServer,
  citus: printCitusScript,
}

const [name = 'serve', ...rest] = process.argv.slice(2)
const command = Object.hasOwn(commands, name) ? commands[name] : undefined
if (!command || rest.length > 0) {
  stop('It takes one of these: gateleg serve (or no word at all), gateleg citus.')
}

try {
  await command()
} catch (error) {
  if (error instanceof ConfigurationError) stop(error.message)
  const code = (error as NodeJS.ErrnoException).code
  if (code !== 'EADDRINUSE' && code !== 'EACCES' && code !== 'EADDRNOTAVAIL') throw error
  stop(`${(error as Error).message}: choose another HOST, PORT or DATA_DIR.`)
}

/** Serves until a signal ends it. */
async function runServer(): Promise<void> {
  const { serve } = await import('./serve.ts')
  const { placeOf } = await import('./opening-storage.ts')
  const configuration = readConfiguration(process.env)
  const server = await serve(configuration)
  greet(configuration.publicUrl ?? server.url, placeOf(configuration))
  endOnSignal(() => server.close())
}

/** Prints how the database becomes a distributed one, or what is in the way of it. */
async function printCitusScript(): Promise<void> {
  const { citusScript } = await import('./citus.ts')
  process.stdout.write(await citusScript(readConfiguration(process.env)))
}

function stop(message: string): never {
  console.error(`gateleg can't ${process.argv[2] === 'citus' ? 'go on' : 'start'}.\n${message}`)
  process.exit(1)
}

/** To the error output, so that the standard output is nothing but the log. */
function greet(url: string, place: string): void {
  console.error(`
gateleg listens on ${url} and keeps its data in ${place}.

  The operations:  ${url}/docs
  Try this first:  curl ${url}/api/auth/signup -H 'Content-Type: application/json' \\
                     -d '{"email": "you@example.com", "password": "A-good-password-1"}'

The first account administers the instance. Its answer holds an accessToken: send it as
"Authorization: Bearer <accessToken>". Ctrl-C ends the server.
`)
}

/** Ends in order at the first signal, and at once at the second. */
function endOnSignal(close: () => Promise<void>): void {
  let isEnding = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, async () => {
      if (isEnding) process.exit(1)
      isEnding = true
      await close()
      process.exit(0)
    })
  }
}
