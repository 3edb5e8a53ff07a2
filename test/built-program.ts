import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { bundlePackages } from '../scripts/packaging/bundle-packages.ts'
import { readPublication } from '../scripts/packaging/publication.ts'
import { root, type WorkspacePackage } from '../scripts/packaging/workspace-package.ts'

/** Where programs are kept that were built, each in a folder that is named after what it was built of. */
const folder = join(root, 'node_modules/.cache/built-program')

/** Milliseconds for which a program is kept that nobody has started. */
const keptMs = 24 * 60 * 60 * 1000

/**
 * The file of the `gateleg` command, built of the sources as they are now in the way it is published: it starts in half of
 * the time that they take, which tests would spend hundreds of times. Whoever is first after a change builds it.
 */
export async function builtProgram(): Promise<string> {
  const built = join(folder, digestOfSources())
  if (!existsSync(built)) await build(built)
  const now = new Date()
  utimesSync(built, now, now)
  return join(built, 'node_modules/gateleg/dist/main.js')
}

async function build(built: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  dropOld()
  // Others may build it at the same time: it is there once it is whole, and the first one stays.
  const making = mkdtempSync(join(folder, 'making-'))
  const publication = readPublication()
  const placeOf = ({ name }: WorkspacePackage) => join(making, 'node_modules', name)
  await bundlePackages(publication, (each) => join(placeOf(each), 'dist'))
  for (const each of publication.packages) install(each, placeOf(each))
  try {
    renameSync(making, built)
  } catch (error) {
    rmSync(making, { recursive: true })
    if (!existsSync(built)) throw error
  }
}

/** Gives the package the manifest that it is published with, and what it needs of others. */
function install({ folder }: WorkspacePackage, place: string): void {
  const source = join(root, folder)
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  writeFileSync(
    join(place, 'package.json'),
    JSON.stringify({ ...manifest, ...manifest.publishConfig }),
  )
  const others = Object.keys(manifest.dependencies ?? {}).filter(
    (name) => !manifest.dependencies[name].startsWith('workspace:'),
  )
  for (const name of others) {
    const link = join(place, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(source, 'node_modules', name), link)
  }
}

function digestOfSources(): string {
  const patterns = ['packages/*/package.json', 'packages/*/src/**/*.*', 'scripts/packaging/*.ts']
  const files = globSync([...patterns, 'pnpm-lock.yaml', 'tsconfig.json'], { cwd: root })
  const hash = createHash('sha256')
  for (const file of files.filter((each) => !each.endsWith('.test.ts')).toSorted()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  }
  return hash.digest('hex').slice(0, 16)
}

function dropOld(): void {
  for (const name of readdirSync(folder)) {
    // Somebody else may be dropping it.
    const found = statSync(join(folder, name), { throwIfNoEntry: false })
    const isOld = found && Date.now() - found.mtimeMs > keptMs
    if (isOld) rmSync(join(folder, name), { recursive: true, force: true })
  }
}
