import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a reader of a tutorial does: writes a file, or enters commands. */
export type TutorialStep =
  | { readonly kind: 'file'; readonly name: string; readonly text: string }
  | { readonly kind: 'commands'; readonly heading: string; readonly text: string };

const LINE_OF_INTEREST = /^(?:## (?<heading>.+)|```(?<language>\w+)(?: (?<file>\S+))?)$/;

/** The fenced blocks of a Markdown text in order: `sh` is entered, a block with a file name after its language is written. */
export function parseTutorial(markdown: string): readonly TutorialStep[] {
  const steps: TutorialStep[] = [];
  let heading = '';
  const lines = markdown.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const groups = LINE_OF_INTEREST.exec(lines[at] ?? '')?.groups;
    if (groups === undefined) continue;
    heading = groups['heading'] ?? heading;
    const { language, file } = groups;
    if (language === undefined) continue;
    const end = lines.indexOf('```', at);
    const text = `${lines.slice(at + 1, end).join('\n')}\n`;
    at = end;
    if (file !== undefined) steps.push({ kind: 'file', name: file, text });
    else if (language === 'sh') steps.push({ kind: 'commands', heading, text });
  }
  return steps;
}

/** One bash for a whole tutorial: variables, folder and background jobs stay from one block to the next. */
export class Terminal implements AsyncDisposable {
  readonly #bash: ChildProcess;
  readonly #folder: string;
  #output = '';
  #isClosed = false;
  #onNews: () => void = () => {};

  /** @param scratch folder for what is entered; the terminal starts in `folder` */
  constructor(folder: string, scratch: string, environment: Readonly<Record<string, string | undefined>>) {
    this.#folder = scratch;
    this.#bash = spawn('bash', ['--noprofile', '--norc'], {
      cwd: folder,
      env: environment,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    for (const stream of [this.#bash.stdout, this.#bash.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        this.#output += chunk;
        this.#onNews();
      });
    }
    this.#bash.on('close', () => {
      this.#isClosed = true;
      this.#onNews();
    });
  }

  /** Enters commands and waits for their end. @returns what they printed @throws Error when one of them fails */
  async enter(commands: string): Promise<string> {
    const mark = randomUUID();
    const start = this.#output.length;
    // A file of its own, because programs would read what is entered next from the terminal's input.
    const file = join(this.#folder, `${mark}.sh`);
    await writeFile(file, commands);
    this.#bash.stdin?.write(`set -e; . '${file}' < /dev/null; set +e; printf '%s\\n' '${mark}'\n`);
    for (;;) {
      const end = this.#output.indexOf(mark, start);
      if (end !== -1) return this.#output.slice(start, end);
      if (this.#isClosed) throw new Error(`failed: ${commands}\n${this.#output.slice(start)}`);
      await new Promise<void>((resolve) => {
        this.#onNews = resolve;
      });
    }
  }

  /** Ends the terminal and everything that was started in it: its process group, whether the shell still lives or not. */
  async [Symbol.asyncDispose](): Promise<void> {
    const { pid } = this.#bash;
    if (pid === undefined) return;
    const isClosed = this.#isClosed ? undefined : once(this.#bash, 'close');
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // Nothing is left of the group.
    }
    await isClosed;
  }
}
