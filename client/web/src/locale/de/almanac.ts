import type english from '../en/almanac';
import type { ChapterName, LessonText, LessonTexts, StageNumber, StageText } from '../en/almanac';

const CHAPTERS: Readonly<Record<ChapterName, string>> = {
  'Novice Apprentice': 'Novizen und Lehrlinge',
  'Lamplit Journeyman': 'Gesellen im Lampenschein',
  'Cascade Adept': 'Adepten der Kaskade',
  'Keeper of Orreries': 'Hüter der Planetarien',
  'Meridian Artificer': 'Werkmeister des Meridians',
  'Zenith Technomancer': 'Technomanten im Zenit',
  'Grandmaster Spire': 'Die Spire der Großmeister',
};

const STAGES: Readonly<Record<StageNumber, StageText>> = {
  1: { name: 'Erstes Licht', idea: 'Ein leerer Stab nimmt jede Scheibe: Nutze ihn als Zwischenlager.' },
  2: {
    name: 'Zwei Laternen',
    idea: 'Eine Scheibe ruht auf einer größeren der eigenen Farbe oder auf einem leeren Stab, sonst nirgends.',
  },
  3: {
    name: 'Der Grundstein',
    idea: 'Die Basis zuerst: Eine kleine Scheibe, die zu früh liegt, verdeckt, was eine größere braucht.',
  },
  4: { name: 'Kein Platz zum Rasten', idea: 'Jeder Stab ist belegt: Vereine zwei Stapel, dann ist der erste Stab frei.' },
  5: {
    name: 'Der Blick zurück',
    idea: 'Rückwärtsprobe: Nur ein einziger erster Zug verschwendet nichts, also denke zwei Züge voraus.',
  },
  6: {
    name: 'Gesammelter Schein',
    idea: 'Einfarbig stapeln: Halte Scheiben einer Farbe beisammen, bis ihre Basis frei ist.',
  },
  7: {
    name: 'Die Tür, die zufällt',
    idea: 'Manche Züge sind nicht wiedergutzumachen: Sieh vor jedem, wie es danach weitergeht.',
  },
  8: { name: 'Der stehende Stein', idea: 'Eine Basis, die schon allein steht, muss nie mehr fort: Baue auf ihr.' },
  9: {
    name: 'Fünf volle Stäbe',
    idea: 'Wo kein Stab frei ist, zähle, welcher sich mit den wenigsten Zügen leeren lässt.',
  },
  10: {
    name: 'Ein offenes Fenster',
    idea: 'Hüte den einen freien Stab: Eine verirrte Scheibe darauf kann das Brett kosten.',
  },
  11: {
    name: 'Gesellenprobe',
    idea: 'Fünf Größen, zwei freie Stäbe: Mehr als eine Ablage sieht richtig aus und kostet doch einen Zug.',
  },
  12: {
    name: 'Dreifarbige Kaskade',
    idea: 'Drei Farben: Finde die eine Scheibe, deren Weggang alle anderen an ihren Platz fallen lässt.',
  },
  13: {
    name: 'Drei Basen, zwei Liegeplätze',
    idea: 'Es gibt weniger freie Stäbe als Basen: Entscheide, welche Farbe wartet.',
  },
  14: {
    name: 'Die enge Stiege',
    idea: 'Die meisten Stellungen hier sind verloren: Prüfe jeden Zug, bevor die Hand sich rührt.',
  },
  15: {
    name: 'Messingkragen',
    idea: 'Kragen nehmen einem Stab Plätze: Zähle, wie viele bleiben, bevor du dort baust.',
  },
  16: {
    name: 'Liegeplatz für eine',
    idea: 'Ein Stab, dem die Kragen einen Platz lassen, hält eine Scheibe: Nimm die richtige.',
  },
  17: { name: 'Der achte Glockenschlag', idea: 'Diese Kragen fallen nach acht Zügen: Tu zuerst, was keinen Platz braucht.' },
  18: {
    name: 'Zwillingskragen',
    idea: 'Türme öffnen Kragen: Vollende früh eine Farbe, dann wird es für die übrigen weiter.',
  },
  19: {
    name: 'Adeptenprobe',
    idea: 'Zwei enge Stäbe zwischen echten Fallen: Platz, Reihenfolge und Rückwege, alles zählt.',
  },
  20: { name: 'Höhere Türme', idea: 'Fünf Größen in drei Farben: Lagere zwischen, was noch nicht heim kann.' },
  21: {
    name: 'Vier Himmel',
    idea: 'Eine vierte Farbe: Freie Stäbe verzeihen viel, doch jeder Umweg kostet einen Zug.',
  },
  22: {
    name: 'Meridian des Rubins',
    idea: 'Ein Heim nennt den einen Stab, auf dem ein Turm am Ende stehen muss.',
  },
  23: { name: 'Zwei feste Bahnen', idea: 'Zwei Heime: Räume die genannten Stäbe, bevor ihre Basen kommen.' },
  24: { name: 'Fixsterne', idea: 'Jede Farbe hat ihr Heim: Ein Turm, der anderswo beginnt, muss umziehen.' },
  25: {
    name: 'Das versiegelte Gewölbe',
    idea: 'Ein Siegel verschließt seinen Stapel, bis zwölf Züge getan sind: Arbeite darum herum.',
  },
  26: {
    name: 'Schlüssel des ersten Turms',
    idea: 'Ein ganzer Turm öffnet dieses Siegel: Wähle die Farbe, die du zuerst errichtest.',
  },
  27: {
    name: 'Hüterprobe',
    idea: 'Ein Heim und ein enger Stab zugleich: Entscheide, welches Hindernis zuerst drankommt.',
  },
  28: { name: 'Vier Fundamente', idea: 'Vier Basen und drei freie Stäbe: Nur eine Eröffnung verschwendet nichts.' },
  29: {
    name: 'Der zerstreute Hof',
    idea: 'Die Scheiben liegen dünn über sieben Stäbe verteilt: Sammle, bevor du sortierst.',
  },
  30: {
    name: 'Das Heim unter dem Haufen',
    idea: 'Das Heim liegt unter sieben Scheiben: Entscheide, wann du es freilegst.',
  },
  31: {
    name: 'Das lange Siegel',
    idea: 'Ein Stapel bleibt zwanzig Züge lang verschlossen: Verwende sie auf alle anderen.',
  },
  32: {
    name: 'Auf Messers Schneide',
    idea: 'Zwei freie Stäbe für vier Farben: Die meisten Stellungen sind verloren, also prüfe jeden Schritt.',
  },
  33: {
    name: 'Zwei Engpässe',
    idea: 'Zwei freie Stäbe sind eng, bis Türme stehen: Lass sie von keiner verirrten Scheibe verstopfen.',
  },
  34: {
    name: 'Werkmeisterprobe',
    idea: 'Ein Heim, ein enger Stab und zwanzig Scheiben: Ordne erst die Hindernisse, dann die Scheiben.',
  },
  35: { name: 'Die sechste Größe', idea: 'Sechs Größen: Je tiefer die Stapel, desto mehr entscheidet die Eröffnung.' },
  36: {
    name: 'Das verschlossene Lager',
    idea: 'Ein freier Stab ist versiegelt, bis ein Turm steht: Plane, welcher ihn öffnet.',
  },
  37: {
    name: 'Gekreuzte Heime',
    idea: 'Zwei Heime, und unter jedem die Basis des anderen: Löse den Knoten, bevor du baust.',
  },
  38: {
    name: 'Falsche Sternbilder',
    idea: 'Manche erste Ablage sieht nach Fortschritt aus und ist keiner: Schau weiter voraus.',
  },
  39: {
    name: 'Siegel und Kragen',
    idea: 'Ein versiegelter Stapel und ein Stab für eine Scheibe: zweierlei Warten zugleich.',
  },
  40: {
    name: 'Jedem Stern sein Platz',
    idea: 'Vier Heime: Ein Stab ist nur so lange Zwischenlager, bis sein eigener Turm ihn fordert.',
  },
  41: { name: 'Zenitprobe', idea: 'Heim, Kragen und ein Siegel zusammen: Vollende zuerst, was am meisten öffnet.' },
  42: { name: 'Das fünfte Licht', idea: 'Alle fünf Farben über drei freien Stäben: Eine einzige Eröffnung ist die beste.' },
  43: {
    name: 'Weiter Horizont',
    idea: 'Neun Stäbe und Platz genug: Die Kunst ist, auf einem langen Weg nichts zu verschwenden.',
  },
  44: {
    name: 'Der Gang am Abgrund',
    idea: 'Zwei freie Stäbe für fünf Farben: Fast immer gibt es einen Zug, der das Brett kostet.',
  },
  45: {
    name: 'Beringte Horizonte',
    idea: 'Zwei enge Stäbe, die durch Türme weiter werden: Wähle die Farben, die sich zuerst lohnen.',
  },
  46: {
    name: 'Der verankerte Rubin',
    idea: 'Ein fester Turm unter fünfen: Lass seinen Stab nicht zum Zwischenlager für alle werden.',
  },
  47: {
    name: 'Das stille Tor',
    idea: 'Ein versiegelter freier Stab und fünf Farben: Plane den ersten Turm als Schlüssel zum Rest.',
  },
  48: {
    name: 'Zwei Schlösser, zwei Türme',
    idea: 'Siegel, die nacheinander aufgehen: Lass den ersten Turm dem zweiten helfen.',
  },
  49: {
    name: 'Das letzte Planetarium',
    idea: 'Ein Heim, ein enger Stab und ein versiegelter Stapel zwischen fünf Farben: nichts Neues, alles zugleich.',
  },
  50: {
    name: 'Die Spire im Äther',
    idea: 'Der ganze Satz, fünfunddreißig Scheiben und zwei freie Stäbe: alles, was der Almanach gelehrt hat.',
  },
};

const LESSONS: Readonly<LessonTexts> = {
  1: {
    name: 'Klein auf groß',
    teaches: 'Immer nur eine Scheibe, immer die oberste, und nie auf eine kleinere.',
    steps: [
      'Nur die oberste Scheibe eines Stabs lässt sich heben: Auf Stab 1 ist das Rubin 3. Hebe sie und versuche, sie auf ' +
        'Stab 2 abzulegen, auf dem kleineren Rubin 2.',
      'Das hält nicht. Ein leerer Stab nimmt jede Scheibe: Baue einen Turm, 3, 2, 1.',
    ],
  },
  2: {
    name: 'Gleich auf gleich',
    teaches: 'Eine Scheibe ruht auf ihrem eigenen Spektrum oder auf einem leeren Stab, gleich wie groß.',
    steps: [
      'Rubin 1 ist kleiner als Saphir 2. Hebe sie von Stab 1 und versuche, sie auf Stab 2 abzulegen.',
      'Die Größe allein genügt nicht, das Spektrum muss dasselbe sein. Lege Rubin 1 beiseite und bringe dann jedes ' +
        'Spektrum heim.',
    ],
  },
  3: {
    name: 'Platz auf einem Stab',
    teaches: 'Ein Stab hat eine feste Zahl von Plätzen; sind sie belegt, geht nichts mehr.',
    steps: [
      'Stab 2 hat einen Platz, und auf ihm liegt Rubin 3. Versuche, Rubin 1 dort abzulegen.',
      'Der Turm braucht drei Plätze: Stab 3 hat sie. Bringe zuerst die Basis dorthin.',
    ],
  },
  4: {
    name: 'Der leere Stab als Zwischenlager',
    teaches: 'Ein leerer Stab nimmt jede Scheibe: Gewinne früh einen, und halte einen frei.',
    steps: [
      'Ein Stab ist frei. Gib ihn für Saphir 3, dann lässt sich Stab 1 räumen: Leere einen Stab.',
      'Nun hast du wieder ein Zwischenlager. Der Rest fügt sich von selbst.',
    ],
  },
  5: {
    name: 'Die Basis zuerst',
    teaches: 'Setze die größten Scheiben zuerst: Was vor ihnen liegt, ist ihnen im Weg.',
    steps: [
      'Saphir 3 liegt unter Rubin 2. Befreie sie und lege sie auf einen leeren Stab: eine Basis, die bleibt.',
      'Saphir 2 kann folgen. Befreie nun die andere Basis, und setze auch sie.',
      'Auf beiden Basen geht es nach oben.',
    ],
  },
  6: {
    name: 'Einfarbig stapeln',
    teaches: 'Halte Scheiben eines Spektrums beisammen, bis ihre Basis frei ist: Ein Stab dient für viele.',
    steps: [
      'Drei Spektren, zwei freie Stäbe. Lege Scheiben eines Spektrums aufeinander, wo immer es geht, damit ein Stab frei ' +
        'bleibt. Bringe vier Scheiben an ihren Platz.',
      'Drei Türme wachsen: Vollende sie.',
    ],
  },
  7: {
    name: 'Die Rückwärtsprobe',
    teaches: 'Denke vor jedem Zug zwei voraus: Einer, der später zurückgenommen wird, war verschwendet.',
    steps: [
      'Ein Stab ist frei, und eine Scheibe ist ihn wert. Erreiche die Harmonie in neun Zügen, ohne einen zu verschwenden. ' +
        'Zurücknehmen und Neubeginn kosten hier nichts, und du kannst dir den Weg zeigen lassen.',
    ],
  },
};

/** What is not known here, of a server that is newer than the page, stays as that server says it. */
const german: typeof english = {
  chapter: (name) => CHAPTERS[name as ChapterName] ?? name,
  stage: (number, said) => STAGES[number as StageNumber] ?? said,
  lessonName: (number, said) => {
    const text: LessonText | undefined = LESSONS[number as keyof LessonTexts];
    return text === undefined ? said : { name: text.name, idea: text.teaches };
  },
  lesson: (number, said) => {
    const text: LessonText | undefined = LESSONS[number as keyof LessonTexts];
    return text?.steps.length === said.steps.length ? text : said;
  },
};

export default german;
