import type english from '../en/rules';

const german: typeof english = {
  title: 'Regeln und Geschichte',
  short:
    'Sortiere jedes Spektrum zu einem eigenen Turm, die größte Scheibe zuunterst. Immer eine Scheibe, von der Spitze eines Stabs auf einen anderen Stab: auf eine größere Scheibe desselben Spektrums oder auf einen leeren Stab.',
  contents: 'Inhalt',
  parts: {
    story: 'Die Spire',
    pieces: 'Der Tisch',
    laws: 'Die vier Gesetze',
    hands: 'Eine Hand',
    harmony: 'Harmonie',
    rings: 'Ringe und Heimstäbe',
    score: 'Punkte und Sterne',
    techniques: 'Techniken',
    thought: 'Ein Gedankengang',
    etiquette: 'Tischsitten',
    sprint: 'Der Sprint',
    modes: 'Was es zu spielen gibt',
  },
  aBoard: 'Ein Brett',
  peg: (peg) => `Stab ${peg}:`,

  story: {
    heading: 'Die Ätherische Spire',
    fall: 'Fünf Ströme aus Licht steigen durch die Ätherische Spire auf: Rubin, Saphir, Smaragd, Bernstein und Violett. Solange jeder in seinem eigenen Schacht bleibt, summt die Spire, und der Himmel über ihr steht still. Dann hat etwas sie erschüttert. Die Ströme zerbrachen zu Ringen, die Ringe fielen, wohin sie konnten, und nun ist jeder Schacht mit Licht verstopft, das in einen anderen gehört.',
    task: 'Ein Technomant kann immer einen Ring heben und ihn anderswo ablegen. Viel Platz ist nicht, Licht haftet nur an Licht der eigenen Art, und ein großer Ring zerdrückt einen kleinen. Wer jeden Strom wieder zu einem eigenen Turm ordnet, erneuert die Spire. Wer es als Erster schafft oder mit den wenigsten Zügen, ist ihr Meister-Technomant.',
  },
  pieces: {
    heading: 'Was auf dem Tisch liegt',
    list: [
      '<b>Der Sockel</b>, dunkles Nussholz mit eingelegten Sternbildern und Runenbahnen aus Messing: 5 bis 9 Plätze, in jedem benutzten ein Stab.',
      '<b>35 Scheiben</b>: fünf Spektren mit je sieben Größen, 1 die kleinste und 7 die größte. Ein kleinerer Satz spielt mit weniger Spektren oder nur mit den kleinen Größen.',
      '<b>10 Sperrringe</b>, die einen Stab schließen oder ihm Plätze nehmen, bis etwas getan ist. Sie kommen mit den späteren Stufen.',
      '<b>Die Anzeige</b> neben dem Brett: Züge, Par, das bekannte Optimum und die Zeit gegen zwei Minuten.',
      '<b>Der Almanach</b>: 50 Stufen von Novice Apprentice bis Grandmaster Spire.',
    ],
    signs: 'Farbe ist nie das einzige Zeichen. Jedes Spektrum hat einen Rand von eigener Form und um die Größe ein Emblem derselben Form.',
    rims: { R: 'gezackt', S: 'ein glatter Kreis', E: 'sechseckig', A: 'eckige Kerben', V: 'gewellt' },
  },
  laws: {
    heading: 'Die vier Gesetze',
    size: {
      name: '1. Das Gesetz der Größe',
      text: 'Eine Scheibe liegt auf einer größeren Scheibe oder auf dem blanken Sockel. Nie auf einer kleineren, nicht einmal für einen Augenblick.',
      marks: ['', '✓ auf 6', '✗ auf 4', '✓ leer'],
      caption: 'Rubin 5 ist gehoben. Er darf auf Rubin 6 oder auf dem leeren Stab liegen, nie auf Rubin 4.',
    },
    spectrum: {
      name: '2. Das Gesetz der Farbverwandtschaft',
      text: 'Eine Scheibe liegt nur auf ihrem eigenen Spektrum, gleich welcher Größe. Ein leerer Stab nimmt jedes Spektrum.',
      marks: ['', '✓ eigenes', '✗ anderes', '✓ leer'],
      caption: 'Saphir 3 ist kleiner als Rubin 4, und doch kann er dort nicht liegen: Rubin ist ein anderes Spektrum.',
    },
    lifting: {
      name: '3. Das Gesetz des einen Hebens',
      text: 'Immer eine Scheibe, und stets die oberste ihres Stabs. Was darunter liegt, wartet, bis alles darüber fort ist.',
      marks: ['oberste zuerst', '', '', ''],
      caption: 'Smaragd 5 würde auf Smaragd 6 passen. Bevor er gehoben werden kann, müssen Saphir 1 und Bernstein 2 einen anderen Platz finden.',
    },
    capacity: {
      name: '4. Das Gesetz des Fassungsvermögens',
      text: 'Ein Stab hat so und so viele Plätze, in der Regel sieben und manchmal weniger. Wo sie besetzt sind, kommt nichts mehr hin.',
      marks: ['', '✗ voll', '✓ Platz', '✓ leer'],
      caption: 'Die Stäbe dieses Bretts haben drei Plätze. Rubin 1 könnte auf Rubin 5 liegen, aber einen vierten Platz gibt es nicht.',
    },
    judged: 'Beurteilt werden nur Züge. Wie die Scheiben am Anfang liegen, darf jedes dieser Gesetze brechen: Das ist das Rätsel.',
  },
  hands: {
    heading: 'Eine Hand, und was sie kostet',
    text: 'Hebe eine Scheibe, lege sie auf einem anderen Stab ab: Das ist ein Zug, und er zählt eins. Die Hand hält eine Scheibe oder keine.',
    list: [
      ['Falsch abgelegt', 'Die Scheibe kehrt dorthin zurück, woher sie kam. Im strengen Spiel, und das ist die Regel, ist es ein <i>Ablegefehler</i> und bleibt beim Ergebnis stehen. In geführten Räumen kostet es nichts.'],
      ['Berührt, geführt', 'Eine gehobene Scheibe muss auf einen anderen Stab, wenn irgendeiner sie nimmt. Nur wenn keiner sie nimmt, darf sie zurück, und zwar umsonst.'],
      ['Zwei Hände', 'Wer eine zweite Scheibe hebt, während eine in der Hand ist, zahlt fünf Strafzüge und hält die erste noch immer.'],
      ['Leere und versiegelte Stäbe', 'Da gibt es nichts zu heben. Der Versuch kostet nichts.'],
      ['Rückgängig', 'Nimmt den letzten Zug und seine Zählung zurück, so oft du willst. Fehler und Strafen bleiben.'],
      ['Zurücksetzen', 'Beginnt das Brett von vorn, mit null Zügen; Fehler, Strafen und die Uhr laufen weiter. Beides geht nicht mit einer Scheibe in der Hand.'],
    ],
  },
  harmony: {
    heading: 'Harmonie, und die anderen Enden',
    text: 'Ein <b>vollständiger Turm</b> ist ein ganzes Spektrum auf einem Stab, und nichts anderes darauf, die größte Scheibe zuunterst. Ist jedes Spektrum ein vollständiger Turm, so herrscht <b>Harmonie</b>. Sie wird sofort erkannt; niemand muss „Die Spire ist erneuert!“ rufen, aber es fühlt sich richtig an.',
    solved: { marks: ['✓ vollständig', '✓ vollständig', '', ''], caption: 'Harmonie: zwei Spektren, zwei Türme.' },
    stuck: {
      marks: ['✗ fest', '✗ fest', '✗ fest'],
      caption: 'Sackgasse: Oben auf jedem Stab liegt ein anderes Spektrum, und leer ist keiner. Setze zurück oder gib auf; wo nichts zählt, hilft auch Rückgängig.',
    },
    settled: 'Eine Scheibe <b>sitzt</b>, wenn sie dort liegt, wo ihr Turm stehen wird: unten auf einem Stab, der den ganzen Turm tragen kann, und unter ihr nur größere Scheiben ihres Spektrums. Sitzende Scheiben haben einen hellen Rand und entscheiden zwischen denen, die nicht ans Ziel kamen.',
    lost: 'Ein Brett kann auch <b>verloren</b> sein: Züge gibt es noch, aber keiner führt mehr zur Harmonie. Im Rennen sagt dir das niemand. Wo Hilfe erlaubt ist, erfährst du es, wenn du nach dem Weg fragst.',
  },
  rings: {
    heading: 'Sperrringe und Heimstäbe',
    text: 'Ein Ring hält, bis seine Bedingung erfüllt ist: so viele Züge dieses Anlaufs, oder so viele vollständige Türme auf dem Brett. Türme können wieder abgebaut werden, und dann schließt der Ring sich wieder. Zurücksetzen beginnt die Zählung der Züge von vorn.',
    seals: {
      name: 'Siegel',
      marks: ['', '', '✗ Siegel', ''],
      caption: 'Ein Siegel schließt einen Stab: Nichts wird von ihm gehoben, nichts auf ihm abgelegt. Dieses öffnet sich nach sechs Zügen.',
    },
    collars: {
      name: 'Kragen',
      marks: ['', '', '', '✓ einer'],
      caption: 'Ein Kragen nimmt einem Stab einen Platz. Hier lassen drei von ihnen einen von vier Plätzen übrig, bis ein Turm vollständig ist.',
    },
    homes: {
      name: 'Heimstäbe',
      marks: ['', 'Rubin', '', 'Saphir'],
      caption: 'Ein Heimstab ist der Stab, auf dem ein Spektrum enden muss; sein Emblem steht neben der Nummer des Stabs. Ohne ihn ist jeder Stab recht.',
    },
  },
  score: {
    heading: 'Die Wertung der Spire',
    text: 'Das <b>Optimum</b> eines Bretts ist die kleinste Zahl von Zügen, die zur Harmonie führt; sie ist bewiesen, nicht geschätzt. <b>Par</b> ist ein Fünftel mehr, aufgerundet. Als <b>Züge</b> zählen auch Strafzüge.',
    table: 'Punkte',
    harmony: 'Harmonie',
    underPar: 'Jeder Zug unter Par',
    fast: 'Unter 2:00',
    flawless: 'Makellos: weder rückgängig gemacht noch zurückgesetzt',
    times: '× 1,5',
    example: 'Beispiel: Das Optimum ist 8, also ist Par 10. Erneuert in 9 Zügen und 42 Sekunden, ohne Rückgängig: 1000 + 50 + 100 = 1150, mal 1,5 macht 1725.',
    three: 'mit Par oder darunter',
    two: 'mit höchstens dem Anderthalbfachen des Optimums, aufgerundet',
    one: 'Harmonie, egal nach wie vielen Zügen',
    crown: 'die Krone: genau das Optimum',
  },
  techniques: {
    heading: 'Vier Techniken',
    buffer: ['Der leere Stab als Puffer', 'Ein leerer Stab nimmt alles. Gewinne früh einen, selbst wenn es ein paar Züge kostet, und überlege zweimal, bevor du den letzten füllst: Ohne Puffer kommen die meisten Bretter zum Stillstand.'],
    base: ['Der Grund zuerst', 'Ein Turm wächst von seiner größten Scheibe aus. Befreie die Siebenen und Sechsen und bringe sie an ihren Platz, bevor du die kleinen aufräumst; eine kleine Scheibe, die zu früh abgelegt wurde, liegt auf dem Grund eines anderen.'],
    staging: ['Einfarbig warten', 'Bis ein Grund frei ist, müssen seine kleineren Scheiben irgendwo warten. Lass Scheiben eines Spektrums aufeinander warten: Sie belegen einen Stab statt dreier, und weitere ihrer Art können noch dazukommen.'],
    reversal: ['Die Umkehrprobe', 'Sieh vor jedem Zug zwei weiter. Kommt die Scheibe gleich wieder zurück, und ist inzwischen nichts Nützliches frei geworden, so waren beide Züge verschenkt, und bis Par sind es höchstens ein paar Züge.'],
  },
  thought: {
    heading: 'Ein Gedankengang',
    steps: [
      '<b>Schauen.</b> Welche Scheiben liegen oben, und wohin könnte jede nach den Gesetzen der Größe und der Farbverwandtschaft?',
      '<b>Ziehen.</b> Hebe eine von ihnen und lege sie ab, sauber und in einem Schwung.',
      '<b>Zählen.</b> Die Anzeige steht einen Zug weiter. Wie steht sie zu Par?',
      '<b>Prüfen.</b> Ist ein Turm vollständig, sitzt eine Scheibe, ist ein Stab leer geworden? Sind alle Türme fertig, ist es vorbei; wenn nicht, schau wieder.',
    ],
  },
  etiquette: {
    heading: 'Tischsitten',
    list: [
      '<b>Eine Hand.</b> Zwei Scheiben in zwei Händen kosten fünf Züge.',
      '<b>Berührt, geführt.</b> Wer eine oberste Scheibe berührt hat, bewegt sie, wenn sie sich bewegen lässt.',
      '<b>Kein Schieben.</b> Eine Scheibe wird ganz von ihrem Stab gehoben, bevor sie zu einem anderen geht. Auf dem Bildschirm gezogen, ist sie trotzdem gehoben.',
      'Im Rennen sagst du den anderen nur eines von wenigen Zeichen. Niemand muss sonst etwas lesen.',
    ],
  },
  sprint: {
    heading: 'Der Sprint',
    start: 'Alle sehen dasselbe Brett im selben Augenblick, und niemand hat es ausgesucht: Der Server legt sich vor dem Countdown auf einen Startwert fest, jeder Spieler fügt etwas hinzu, und danach wird alles offengelegt. Zeiten werden um die Länge jeder Leitung berichtigt.',
    end: 'Die Runde endet, wenn der erste Platz entschieden ist: durch eine Harmonie ohne Ablegefehler, oder durch eine mit Fehlern, sobald alle, die noch am Werk sind, ebenfalls Fehler haben. Sie endet auch, wenn niemand weiterkann und wenn die Zeit um ist. Es stehen vorn: fehlerfreie Ergebnisse nach Zeit, dann Ergebnisse mit Fehlern nach Zeit, dann die anderen nach sitzenden Scheiben und nach Zügen. Manche Räume spielen stattdessen um die wenigsten Züge. Eine Serie geht über eine, drei oder fünf Runden.',
  },
  modes: {
    heading: 'Was es zu spielen gibt',
    sprint: ['Technomancer Sprint', 'Zwei bis vier auf demselben Brett im selben Augenblick. Die erste Harmonie gewinnt.'],
    campaign: ['Campaign Master', 'Fünfzig Stufen, jede mit einem Par zum Unterbieten, drei Sternen und einer Krone. Eine öffnet die nächste.'],
    shuffle: ['Infinite Shuffle', 'Brett um Brett ohne Uhr und ohne Kosten, mit Tipps, und mit dem ganzen Weg, wenn du ihn willst.'],
    daily: ['Daily Spire', 'Ein Brett am Tag für alle, und ein gewerteter Versuch daran.'],
    tutorial: ['Einführung', 'Ein paar kleine Bretter, die Gesetze und Techniken beim Tun lehren.'],
    hanoi: ['Klassischer Turm', 'Wo alles begann: drei Stäbe und bis zu 64 Scheiben, vorgespielt oder von Hand.'],
  },
};

export default german;
