#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'
import { refuseOldNode } from './node-version.ts'
import { keepHeapSmall, restartWithSmallHeap } from './small-heap.ts'

const refusal = refuseOldNode(process.versions.node)
if (refusal !== undefined) stop('start', refusal)

if (['serve', 'move'].includes(process.argv[2] ?? 'serve')) restartWithSmallHeap()

// The next start takes half the time. Where the directory can't be written, nothing is lost.
module.enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/gateleg'))

// Loaded now: an old Node could fail to load them before it is told why.
const { ConfigurationError, readConfiguration, readRotation, readTransferServer } = await import(
  './configuration/configuration.ts'
)
const { variableNames } = await import('./configuration/variables.ts')
const { helpAbout, helpText, readCommandLine } = await import('./command-line/command-line.ts')
const { isTransfer } = await import('./command-line/read-transfer.ts')

try {
  await run()
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error
  const others = ['citus', 'backup', 'restore', 'move', 'rotate-key', 'jobs']
  const command = process.argv[2] ?? ''
  stop(others.includes(command) || isTransfer(command) ? 'go on' : 'start', error.message)
}

async function run(): Promise<void> {
  const request = readCommandLine(process.argv.slice(2))
  // The log of a server goes on without its output.
  if (request.command !== 'serve') process.stdout.on('error', endWithOutput)
  switch (request.command) {
    case 'help':
      process.stdout.write(request.about === undefined ? helpText : helpAbout(request.about))
      return
    case 'version':
      process.stdout.write(`gateleg ${readVersion()}\n`)
      return
    case 'serve':
      return runServer()
    case 'citus': {
      const { citusScript } = await import('./command-line/citus.ts')
      process.stdout.write(await citusScript(readConfiguration(process.env)))
      return
    }
    case 'backup': {
      const { backUp } = await import('./command-line/backup.ts')
      process.stdout.write(await backUp(readConfiguration(process.env), request))
      return
    }
    case 'move': {
      keepHeapSmall()
      const { move } = await import('./command-line/move.ts')
      process.stdout.write(await move(readConfiguration(process.env), request.to))
      return
    }
    case 'rotate-key': {
      const { rotateKey } = await import('./command-line/rotate-key.ts')
      process.stdout.write(await rotateKey(readRotation(process.env)))
      return
    }
    case 'jobs': {
      const { listParked } = await import('./command-line/parked-jobs.ts')
      process.stdout.write(await listParked(readConfiguration(process.env)))
      return
    }
    case 'retry': {
      const { retryParked } = await import('./command-line/parked-jobs.ts')
      process.stdout.write(await retryParked(readConfiguration(process.env), request.id))
      return
    }
    case 'import':
    case 'export':
    case 'import-base':
    case 'export-base': {
      const { transferFile } = await import('./command-line/transfer-file.ts')
      process.stdout.write(await transferFile(readTransferServer(process.env), request))
      return
    }
    case 'restore': {
      const { restore } = await import('./command-line/restore.ts')
      process.stdout.write(await restore(readConfiguration(process.env), request.file))
    }
  }
}

function readVersion(): string {
  const file = join(import.meta.dirname, '../package.json')
  return JSON.parse(readFileSync(file, 'utf8')).version
}

/** Serves until a signal ends it. */
async function runServer(): Promise<void> {
  keepHeapSmall()
  const { serve } = await import('./serving/serve.ts')
  const { greeting } = await import('./serving/greeting.ts')
  const { placeOf } = await import('./opening/opening-storage.ts')
  const { findMisspeltVariables } = await import('./configuration/find-misspelt-variables.ts')
  for (const sentence of findMisspeltVariables(process.env, variableNames)) {
    process.stderr.write(`Warning: ${sentence}\n`)
  }
  const configuration = readConfiguration(process.env)
  const server = await serve(configuration)
  // To the error output, so that the standard output is nothing but the log.
  process.stderr.write(
    greeting({
      url: server.url,
      publicUrl: configuration.publicUrl,
      place: placeOf(configuration),
      accounts: server.accounts,
      isClosed: configuration.signUp.closed,
    }),
  )
  // Without a catalogue the signal ends the program, as it does by itself.
  if (server.reload) process.on('SIGHUP', server.reload)
  endOnSignal(() => server.close())
}

/** Says why it can't start, or go on. It uses nothing that is loaded later: an old Node is told before that. */
function stop(what: 'start' | 'go on', why: string): never {
  process.stderr.write(`gateleg can't ${what}.\n${why}\n`)
  process.exit(1)
}

/** Ends where nobody reads any more, as `head` does, without a word; with a sentence where the output can't be written. */
function endWithOutput({ code }: NodeJS.ErrnoException): never {
  if (code === 'EPIPE') process.exit(0)
  stop('go on', `The standard output can't be written (${code}).`)
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
