import { availableParallelism } from 'node:os'
import { setFlagsFromString } from 'node:v8'

/**
 * Megabytes of one half of the space in which V8 makes objects; of its own accord it takes twice as many, and three such halves.
 * Requests seldom keep more alive at a time.
 */
const halfSpaceMegabytes = 8

const halfSpaceFlag = '--max-semi-space-size'

/** Threads with which V8 collects and compiles beside the others, of its own accord, however few processors there are. */
const usualHelpers = 4

const helpersFlag = '--v8-pool-size'

/**
 * Goes on as the same process, with flags that V8 heeds at its start alone: a server takes some 100 MB less with small spaces
 * for new objects, and with a helper less than there are processors the thread that answers isn't put aside for them, which
 * others waited for beside bulk creates. A flag that was given stays. Returns where it goes on as it is: where
 * there is nothing to change, and where a process can't be replaced, as on Windows. Nothing must have been begun before.
 */
export function restartWithSmallHeap(): void {
  const { execArgv, execPath, argv, env, execve } = process
  // Node takes underscores in the names of flags as well.
  const given = [...execArgv, env.NODE_OPTIONS ?? ''].map((text) => text.replaceAll('_', '-'))
  const flags = wantedFlags().filter(([flag]) => !given.some((text) => text.includes(flag)))
  // A program that talks with this one over a channel would lose it.
  if (flags.length === 0 || process.connected || !execve || process.platform === 'win32') return
  const [, ...rest] = argv
  const added = flags.map(([flag, value]) => `${flag}=${value}`)
  execve(execPath, [execPath, ...added, ...execArgv, ...rest], env)
}

function wantedFlags(): readonly (readonly [string, number])[] {
  const helpers = Math.max(1, availableParallelism() - 1)
  return [
    [halfSpaceFlag, halfSpaceMegabytes],
    ...(helpers < usualHelpers ? [[helpersFlag, helpers] as const] : []),
  ]
}

/** Has V8 collect sooner what is unused, and keep what is short-lived where that is quick. */
export function keepHeapSmall(): void {
  // V8 makes objects in the space of old ones where many of their kind were alive at a collection, as those of
  // answers are whenever others have a turn in between. What they hold then stays until the next full collection:
  // collecting took a third of the time of reading pages.
  setFlagsFromString('--no-allocation-site-pretenuring')
  // Collecting once there is so much more keeps memory small; of its own accord V8 waits for several times as much. With half as
  // much again the collector's threads took a third more, which others waited for beside bulk creates.
  setFlagsFromString('--heap-growing-percent=70')
}
