/** The identifier in double quotes. Any text is safe in it. */
export function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}
