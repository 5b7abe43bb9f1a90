/** What a README begins with: how the package is installed, and its first example. */
export interface Beginning {
  /** What `npm install` is given before the first example; the package alone where the README does not say. */
  readonly packages: readonly string[];
  readonly language: string;
  readonly code: string;
}

export function beginningOf(readme: string, name: string): Beginning {
  const packages: string[] = [];
  for (const [, language = '', text = ''] of readme.matchAll(/^```(\w+)\n(.*?)^```$/gms)) {
    const lines = text.split('\n');
    for (const line of lines) {
      const words = /^npm install (.+)$/.exec(line)?.[1]?.split(' ') ?? [];
      packages.push(...words.filter((word) => !word.startsWith('-')));
    }
    const code = lines.filter((line) => !line.startsWith('npm install ')).join('\n');
    if (code.trim() !== '') {
      return { packages: packages.length === 0 ? [name] : packages, language, code };
    }
  }
  throw new Error(`The README of ${name} has no example.`);
}
