import { parseArgs } from 'node:util'
import { attacks } from './attacks.ts'
import { toLine, toReport } from './report.ts'
import { type Outcome, runAttack } from './run-attack.ts'
import { sqliteStorage, startPostgres, type TortureStorage } from './storages.ts'

// Attacks a server of its own, on loopback, in bounded loops:
// `node torture/src/main.ts [--short] [--only walks] [--storage sqlite]`.

const { only, storage: storageNames, short: isShort, busy: isBusy } = readOptionsOrExit()
const outcomes: Outcome[] = []

for (const name of ['sqlite', 'postgres'] as const) {
  if (storageNames && !storageNames.includes(name)) continue
  const storage = name === 'sqlite' ? sqliteStorage : await startPostgres()
  const chosen = attacks.filter(
    ({ name, storages, isWholeOnly }) =>
      (only?.includes(name) ?? true) &&
      (storages?.includes(storage.name) ?? true) &&
      !(isShort && isWholeOnly),
  )
  try {
    await runAll(storage, chosen)
  } finally {
    await storage.stop()
  }
}

console.log(toReport(outcomes))
const failed = outcomes.filter(({ faults }) => faults.length > 0).length
console.log(`${outcomes.length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

async function runAll(storage: TortureStorage, chosen: typeof attacks): Promise<void> {
  for (const attack of chosen) {
    const title = `${storage.name} ${attack.name}`
    const say = (text: string) => console.error(`${title}: ${text}`)
    say(attack.about)
    const outcome = await runAttack(attack, { storage, isShort, isBusy, say })
    for (const fault of outcome.faults.slice(0, 10)) say(fault)
    say(toLine(outcome))
    outcomes.push(outcome)
  }
}

function readOptionsOrExit() {
  const names = attacks.map(({ name }) => name)
  const usage = `pnpm torture [--short] [--busy] [--only NAME] [--storage NAME]
--short: a tenth of it
--busy: the machine has other things to do: what threads wait for a processor does not count
--only: ${names.join(', ')}; may be given more than once, all when not given
--storage: sqlite or postgres; may be given more than once, both when not given`
  try {
    const { values } = parseArgs({
      options: {
        help: { type: 'boolean' },
        short: { type: 'boolean', default: false },
        busy: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true },
        storage: { type: 'string', multiple: true },
      },
    })
    if (values.help) {
      console.log(usage)
      process.exit(0)
    }
    const unknown = values.only?.find((name) => !names.includes(name))
    if (unknown !== undefined) throw new Error(`--only is one of ${names.join(', ')}`)
    if (values.storage?.some((name) => name !== 'sqlite' && name !== 'postgres')) {
      throw new Error('--storage is sqlite or postgres')
    }
    return values
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`)
    process.exit(2)
  }
}
